import type { Resource } from '@waybill/client/config';
import { useState } from 'react';
import { AT_REST_MS, useChange, useRead, useWorkspace } from '../session/workspace.tsx';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { Confirm } from '../ui/confirm.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { slugOf } from '../ui/names.ts';
import { Page } from '../ui/page.tsx';
import { type Column, Table } from '../ui/table.tsx';
import { Time } from '../ui/time.tsx';
import { AccessTabs } from './access-tabs.tsx';
import { NewToken } from './new-token.tsx';

type Token = Resource<'accessTokens'>;

export function AccessPage() {
  const { canWrite } = useWorkspace();
  const [isMaking, setMaking] = useState(false);
  const tokens = useRead(
    ['tokens'],
    (client, signal) => Array.fromAsync(client.accessTokens.list({ signal, pageSize: 1_000 })),
    {
      every: 4 * AT_REST_MS,
    },
  );
  const add = (
    <Button look="primary" icon="plus" onClick={() => setMaking(true)}>
      New token
    </Button>
  );
  return (
    <Page title="Access" lead="Access tokens call the API and sign in here." actions={canWrite && add}>
      <AccessTabs />
      <Loaded query={tokens}>
        {(list) => (
          <Card flush>
            <Table label="Access tokens" columns={COLUMNS} rows={list} keyOf={({ name }) => name} />
          </Card>
        )}
      </Loaded>
      {isMaking && <NewToken onClose={() => setMaking(false)} />}
    </Page>
  );
}

const COLUMNS: readonly Column<Token>[] = [
  { title: 'Description', cell: ({ description }) => <strong>{description}</strong> },
  {
    title: 'Scope',
    cell: ({ scopes }) => (
      <span className="badge plain">{scopes === 'workspace' ? 'Reads and writes' : 'Only reads'}</span>
    ),
  },
  {
    title: 'Workspaces',
    cell: ({ workspace_names: names, resource_names: limits }) => (
      <span className="muted">{limits?.join(', ') ?? (names.length === 0 ? 'All' : names.map(slugOf).join(', '))}</span>
    ),
  },
  { title: 'Last used', cell: ({ last_used_time: time }) => (time === undefined ? 'Never' : <Time value={time} />) },
  { title: 'Created', isMinor: true, cell: ({ create_time }) => <Time value={create_time} /> },
  { title: 'Revoke', end: true, cell: (token) => <RevokeToken token={token} /> },
];

function RevokeToken({ token }: { readonly token: Token }) {
  const { canWrite } = useWorkspace();
  const [isAsked, setAsked] = useState(false);
  const close = (): void => setAsked(false);
  const revoke = useChange((client) => client.accessTokens.delete(token.name), [['tokens']], close);
  if (!canWrite) return null;
  return (
    <>
      <Button
        size="small"
        look="quiet"
        icon="trash"
        aria-label={`Revoke ${token.description}`}
        onClick={() => setAsked(true)}
      />
      {isAsked && (
        <Confirm title={`Revoke ${token.description}?`} action="Revoke token" mutation={revoke} onClose={close}>
          Requests with it are refused from then on. This cannot be undone.
        </Confirm>
      )}
    </>
  );
}
