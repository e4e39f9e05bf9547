import { JsonField, type JsonDraft } from '../ui/json-draft.tsx';
import { useWorkspace } from '../session/workspace.tsx';
import { type Fault, lineOf } from './faults.ts';
import { GroupEditor } from './group-editor.tsx';
import type { Kind } from './queries.ts';
import { TraitForm } from './trait-form.tsx';

interface EditorProps {
  readonly kind: Kind;
  readonly json: JsonDraft;
  readonly fault: Fault | undefined;
}

/** A definition as a form, or as JSON; what the API says of it stands at its place. */
export function DefinitionEditor({ kind, json, fault }: EditorProps) {
  const { canWrite } = useWorkspace();
  const { text, draft, setDraft } = json;
  if (text !== undefined)
    return (
      <JsonField json={json} label="Definition as JSON" refusal={fault && refusalIn(text, fault)} isFixed={!canWrite} />
    );
  if (kind === 'computed-traits') return <TraitForm draft={draft} fault={fault} onChange={setDraft} />;
  return <GroupEditor draft={draft} place="definition" number="" fault={fault} onChange={setDraft} />;
}

function refusalIn(text: string, { place, said }: Fault): string {
  const line = lineOf(text, place);
  return line === undefined ? said : `Line ${line}, ${said}`;
}
