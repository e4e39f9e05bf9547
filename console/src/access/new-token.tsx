import { useState } from 'react';
import { useChange, useWorkspace } from '../session/workspace.tsx';
import { Button } from '../ui/button.tsx';
import { Secret } from '../ui/copy.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Failure } from '../ui/failure.tsx';
import { InputField } from '../ui/field.tsx';

type Scope = 'workspace' | 'workspace:read';

interface NewTokenFields {
  readonly description: string;
  readonly scopes: Scope;
  readonly workspace_names?: string[];
  readonly resource_names?: string[];
}

/** The plaintext of a token is in the answer that makes it, and nowhere else. */
export function NewToken({ onClose }: { readonly onClose: () => void }) {
  const { name, slug } = useWorkspace();
  const [description, setDescription] = useState('');
  const [scopes, setScopes] = useState<Scope>('workspace:read');
  const [isBound, setBound] = useState(true);
  const [limit, setLimit] = useState('');
  const make = useChange((client, fields: NewTokenFields) => client.accessTokens.create(fields), [['tokens']]);
  if (make.data !== undefined) return <MadeToken token={make.data.token ?? ''} onClose={onClose} />;
  const reach = limit === '' ? { workspace_names: isBound ? [name] : [] } : { resource_names: [limit] };
  const submit = (): void => make.mutate({ description, scopes, ...reach });
  const button = (
    <Button type="submit" look="primary" disabled={description === '' || make.isPending}>
      Make token
    </Button>
  );
  return (
    <Dialog title="New access token" actions={button} onSubmit={submit} onClose={onClose}>
      <div className="stack">
        <InputField {...DESCRIPTION} value={description} onChange={setDescription} />
        <label className="row">
          <input
            type="checkbox"
            checked={scopes === 'workspace'}
            onChange={(event) => setScopes(event.currentTarget.checked ? 'workspace' : 'workspace:read')}
          />
          It may change things, and read secrets
        </label>
        <label className="row">
          <input type="checkbox" checked={isBound} onChange={(event) => setBound(event.currentTarget.checked)} />
          Only the workspace {slug}
        </label>
        <InputField {...limitOf(name)} value={limit} onChange={(value) => setLimit(value.trim())} />
        {make.error !== null && <Failure error={make.error} />}
      </div>
    </Dialog>
  );
}

const DESCRIPTION = { label: 'Description', hint: 'Who or what uses it: CI, a person, a script.' };

function limitOf(workspace: string) {
  return {
    label: 'Only this source or destination',
    hint: `Its full name, as ${workspace}/sources/web. Empty: no such limit.`,
  };
}

function MadeToken({ token, onClose }: { readonly token: string; readonly onClose: () => void }) {
  return (
    <Dialog title="Copy the token now" closeText="Done" onClose={onClose}>
      <div className="stack-tight">
        <p className="muted">It is shown only here: the router keeps no more than a hash of it.</p>
        <Secret text={token} what="access token" />
      </div>
    </Dialog>
  );
}
