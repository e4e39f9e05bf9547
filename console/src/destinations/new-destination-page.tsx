import { useNavigate, useParams } from '@tanstack/react-router';
import { webhooksConfig } from '@waybill/client/config';
import { type FormEvent, useState } from 'react';
import { useChange, useWorkspace } from '../session/workspace.tsx';
import { SourceCrumbs } from '../sources/source-crumbs.tsx';
import { Button } from '../ui/button.tsx';
import { ButtonLink } from '../ui/button-link.tsx';
import { Card } from '../ui/card.tsx';
import { Secret } from '../ui/copy.tsx';
import { messageOf, refuses } from '../ui/errors.ts';
import { Failure } from '../ui/failure.tsx';
import { NameFields } from '../ui/name-fields.tsx';
import { randomToken, slugFrom } from '../ui/names.ts';
import { Page } from '../ui/page.tsx';
import { HooksEditor } from './hooks-editor.tsx';
import { useDestinations } from './queries.ts';
import { type Hook, hooksValue } from './settings.ts';

const FROM = '/workspaces/$workspace/sources/$source/new-destination';
const SECRET_LENGTH = 40;
const TITLE = 'Webhooks';

export function NewDestinationPage() {
  const { source } = useParams({ from: FROM });
  return (
    <Page
      title="New destination"
      lead="A webhook gets each event of this source as a signed POST, with retries for four hours."
      crumbs={<SourceCrumbs source={source} />}
    >
      <NewDestinationForm source={source} />
    </Page>
  );
}

function NewDestinationForm({ source }: { readonly source: string }) {
  const [hooks, setHooks] = useState<readonly Hook[]>([{ url: '', headers: [] }]);
  const [title, setTitle] = useState(TITLE);
  const [slug, setSlug] = useState<string>();
  const [secret, setSecret] = useState<string | undefined>(() => randomToken(SECRET_LENGTH));
  const others = useDestinations(source);
  // Whether it is the first decides what it is called.
  const id = slug ?? (others.isPending ? '' : idFor(title, others.data?.length ?? 1));
  const create = useCreateDestination(source);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    create.mutate({ id, title, hooks, secret });
  };
  const hooksError = refuses(create.error, '.hook') ? messageOf(create.error) : undefined;
  return (
    <form className="stack form" onSubmit={submit}>
      <Card title="Where to" note="Each event is sent to all URLs at once; the first that answers 2xx ends it.">
        <HooksEditor hooks={hooks} error={hooksError} onChange={setHooks} />
      </Card>
      <SigningCard secret={secret} onChange={setSecret} />
      <Card title="Name">
        <NameFields
          what="destination"
          title={title}
          slug={id}
          error={create.error}
          onTitle={setTitle}
          onSlug={setSlug}
        />
      </Card>
      {create.error !== null && hooksError === undefined && <Failure error={create.error} />}
      <Submit source={source} disabled={create.isPending || id === ''} />
    </form>
  );
}

function Submit({ source, disabled }: { readonly source: string; readonly disabled: boolean }) {
  const { slug: workspace } = useWorkspace();
  return (
    <div className="row">
      <Button look="primary" type="submit" disabled={disabled}>
        Create destination
      </Button>
      <ButtonLink to="/workspaces/$workspace/sources/$source" params={{ workspace, source }}>
        Cancel
      </ButtonLink>
    </div>
  );
}

interface SigningProps {
  readonly secret: string | undefined;
  readonly onChange: (secret: string | undefined) => void;
}

function SigningCard({ secret, onChange }: SigningProps) {
  return (
    <Card
      title="Signing secret"
      note="The receiver checks the header X-Signature with it, so that nobody else can send it events."
    >
      <div className="stack-tight">
        {secret !== undefined && <Secret text={secret} what="signing secret" />}
        <label className="row">
          <input
            type="checkbox"
            checked={secret === undefined}
            onChange={(event) => onChange(event.currentTarget.checked ? undefined : randomToken(SECRET_LENGTH))}
          />
          Do not sign requests
        </label>
      </div>
    </Card>
  );
}

interface NewDestination {
  readonly id: string;
  readonly title: string;
  readonly hooks: readonly Hook[];
  readonly secret: string | undefined;
}

function useCreateDestination(source: string) {
  const { name, slug: workspace } = useWorkspace();
  const navigate = useNavigate();
  return useChange(
    (client, { id, title, hooks, secret = '' }: NewDestination) =>
      client.destinations.create({
        name: `${name}/sources/${source}/destinations/${id}`,
        display_name: title,
        enabled: true,
        connection_mode: 'CLOUD',
        config: webhooksConfig({ hooks: hooksValue(hooks), sharedSecret: secret }),
      }),
    [['sources', source, 'destinations']],
    () => void navigate({ to: '/workspaces/$workspace/sources/$source', params: { workspace, source } }),
  );
}

/** By its id a destination is known to be webhooks. */
function idFor(title: string, others: number): string {
  if (others === 0) return 'webhooks';
  return `webhooks-${title === TITLE ? others + 1 : slugFrom(title)}`;
}
