import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { useChange, useWorkspace } from '../session/workspace.tsx';
import { Button } from '../ui/button.tsx';
import { ButtonLink } from '../ui/button-link.tsx';
import { Card } from '../ui/card.tsx';
import { refuses } from '../ui/errors.ts';
import { Failure } from '../ui/failure.tsx';
import { InputField } from '../ui/field.tsx';
import { TurnButton, useJsonDraft } from '../ui/json-draft.tsx';
import type { Fields } from '../ui/json-fields.ts';
import { slugOf } from '../ui/names.ts';
import { Page } from '../ui/page.tsx';
import { Crumbs } from './audience-page.tsx';
import { DefinitionEditor } from './definition-editor.tsx';
import { DestinationsField } from './destinations-field.tsx';
import { faultOf, nameFault } from './faults.ts';
import { WORDS } from './kinds.ts';
import { PreviewLine } from './preview-line.tsx';
import { asWritten, type Kind, methodsOf, usePreview } from './queries.ts';

export function NewAudiencePage() {
  return <NewPage kind="audiences" />;
}

export function NewComputedTraitPage() {
  return <NewPage kind="computed-traits" />;
}

function NewPage({ kind }: { readonly kind: Kind }) {
  const { one, lead } = WORDS[kind];
  return (
    <Page title={`New ${one}`} lead={lead} crumbs={<Crumbs kind={kind} />}>
      <NewForm kind={kind} />
    </Page>
  );
}

function NewForm({ kind }: { readonly kind: Kind }) {
  const [title, setTitle] = useState('');
  const [destinations, setDestinations] = useState<readonly string[]>([]);
  const json = useJsonDraft(WORDS[kind].draft);
  const { value } = json;
  const preview = usePreview(kind === 'audiences' ? value : undefined);
  const create = useCreate(kind);
  const fault = faultOf(create.error) ?? faultOf(preview.error);
  const isOfTitle = refuses(create.error, 'key') || refuses(create.error, 'display_name');
  const isElsewhere = create.error !== null && faultOf(create.error) === undefined && !isOfTitle;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (value !== undefined) create.mutate({ title, definition: value, destinations });
  };
  return (
    <form className="stack" onSubmit={submit}>
      <Card>
        <TitleField kind={kind} title={title} error={isOfTitle ? create.error : null} onChange={setTitle} />
      </Card>
      <Card title="Definition" action={<TurnButton json={json} />}>
        <div className="stack">
          <DefinitionEditor kind={kind} json={json} fault={fault} />
          {kind === 'audiences' && value !== undefined && <PreviewLine preview={preview} />}
        </div>
      </Card>
      <Card title="Destinations told" note="Each hears of every member at first, then of those who changed.">
        <DestinationsField chosen={destinations} onChange={setDestinations} />
      </Card>
      {isElsewhere && <Failure error={create.error} />}
      <Submit kind={kind} isPossible={title !== '' && value !== undefined && !create.isPending} />
    </form>
  );
}

interface TitleProps {
  readonly kind: Kind;
  readonly title: string;
  readonly error: Error | null;
  readonly onChange: (title: string) => void;
}

function TitleField({ kind, title, error, onChange }: TitleProps) {
  return (
    <InputField
      label="Name"
      hint="Destinations are told its snake_case form, as it is now: renaming it later does not change that."
      error={error === null ? undefined : nameFault(error)}
      required
      placeholder={WORDS[kind].placeholder}
      value={title}
      onChange={onChange}
    />
  );
}

function Submit({ kind, isPossible }: { readonly kind: Kind; readonly isPossible: boolean }) {
  const { slug: workspace } = useWorkspace();
  return (
    <div className="row">
      <Button look="primary" type="submit" disabled={!isPossible}>
        Create {WORDS[kind].one}
      </Button>
      <ButtonLink to={`/workspaces/$workspace/${kind}`} params={{ workspace }}>
        Cancel
      </ButtonLink>
    </div>
  );
}

interface NewComputed {
  readonly title: string;
  readonly definition: Fields;
  readonly destinations: readonly string[];
}

function useCreate(kind: Kind) {
  const { name, slug: workspace } = useWorkspace();
  const navigate = useNavigate();
  return useChange(
    (client, { title, definition, destinations }: NewComputed) =>
      methodsOf(client, kind).create(name, {
        display_name: title,
        definition: asWritten(definition),
        destinations: [...destinations],
      }),
    [[kind]],
    (made) => void navigate({ to: `/workspaces/$workspace/${kind}/$id`, params: { workspace, id: slugOf(made.name) } }),
  );
}
