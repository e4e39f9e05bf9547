import { saveDraft } from '../session/save-draft.ts';
import { useChange, useWorkspace } from '../session/workspace.tsx';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { Failure } from '../ui/failure.tsx';
import { ChangedByOthers, TurnButton, useJsonDraft } from '../ui/json-draft.tsx';
import type { Fields } from '../ui/json-fields.ts';
import { DefinitionEditor } from './definition-editor.tsx';
import { faultOf } from './faults.ts';
import { PreviewLine } from './preview-line.tsx';
import { asWritten, type Computed, type Kind, methodsOf, usePreview } from './queries.ts';

interface DefinitionProps {
  readonly kind: Kind;
  readonly computed: Computed;
}

/** Who is a member, or what value users get; the draft stays until it is saved. */
export function DefinitionCard({ kind, computed }: DefinitionProps) {
  const { canWrite } = useWorkspace();
  const json = useJsonDraft(computed.definition);
  const { value, isChanged } = json;
  const preview = usePreview(kind === 'audiences' ? value : undefined);
  const save = useChange(
    (client, draft: Fields) =>
      saveDraft(methodsOf(client, kind), {
        name: computed.name,
        before: json.before,
        valueOf: (read) => read.definition,
        changes: { definition: asWritten(draft) },
      }),
    [[kind]],
    ({ definition }) => json.begin(definition),
  );
  const fault = faultOf(save.error) ?? faultOf(preview.error);
  return (
    <Card title="Definition" action={<TurnButton json={json} />}>
      <div className="stack">
        <ChangedByOthers json={json} />
        <DefinitionEditor kind={kind} json={json} fault={fault} />
        {kind === 'audiences' && value !== undefined && <PreviewLine preview={preview} />}
        {save.error !== null && faultOf(save.error) === undefined && <Failure error={save.error} />}
        {canWrite && (
          <div>
            <Button
              look="primary"
              disabled={!isChanged || value === undefined || save.isPending}
              onClick={() => value !== undefined && save.mutate(value)}
            >
              Save definition
            </Button>
          </div>
        )}
      </div>
    </Card>
  );
}
