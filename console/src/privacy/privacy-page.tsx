import type { Regulation, SuppressedUser } from '@waybill/client/config';
import { useState } from 'react';
import { take } from '../session/take.ts';
import { AT_REST_MS, paceOf, useRead, useWorkspace } from '../session/workspace.tsx';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { Empty } from '../ui/empty.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { slugOf, wordsOf } from '../ui/names.ts';
import { Badge, type Tone } from '../ui/notice.tsx';
import { Page } from '../ui/page.tsx';
import { type Column, Table } from '../ui/table.tsx';
import { Time } from '../ui/time.tsx';
import { FindProfile } from './find-profile.tsx';
import { NewRegulation } from './new-regulation.tsx';

const SHOWN_USERS = 200;

export function PrivacyPage() {
  const { canWrite } = useWorkspace();
  const [isAsking, setAsking] = useState(false);
  const add = (
    <Button look="primary" icon="plus" onClick={() => setAsking(true)}>
      New request
    </Button>
  );
  return (
    <Page
      title="Privacy"
      lead="Delete what is stored of users, and stop accepting their events, as laws ask for."
      actions={canWrite && add}
    >
      <div className="stack">
        <FindProfile />
        <Regulations />
        <SuppressedUsers />
      </div>
      {isAsking && <NewRegulation onClose={() => setAsking(false)} />}
    </Page>
  );
}

function Regulations() {
  const regulations = useRead(
    ['regulations'],
    async (client, signal, workspace) =>
      (await Array.fromAsync(client.regulations.list(workspace, { signal, pageSize: 1_000 }))).toReversed(),
    { every: (list) => paceOf(list?.find(isUnderWay)?.create_time, AT_REST_MS) },
  );
  return (
    <Card title="Requests" note="A request does not tell which users it named." flush>
      <Loaded query={regulations}>
        {(list) =>
          list.length === 0 ? (
            <Empty icon="privacy" title="No requests yet">
              When a user asks to be forgotten, make a request with the user’s id; how far it has got stands here.
            </Empty>
          ) : (
            <Table label="Requests" columns={REGULATIONS} rows={list} keyOf={({ name }) => name} />
          )
        }
      </Loaded>
    </Card>
  );
}

function isUnderWay({ overall_status: status }: Regulation): boolean {
  return toneOf(status) === 'busy';
}

function toneOf(status: Regulation['overall_status']): Tone {
  if (status === 'FINISHED') return 'ok';
  return status === 'INITIALIZED' || status === 'RUNNING' ? 'busy' : 'bad';
}

const REGULATIONS: readonly Column<Regulation>[] = [
  { title: 'Request', cell: ({ regulation_type }) => <strong>{wordsOf(regulation_type.toLowerCase())}</strong> },
  {
    title: 'Where',
    cell: ({ source_name: source }) => (
      <span className="muted">{source === undefined ? 'Whole workspace' : slugOf(source)}</span>
    ),
  },
  {
    title: 'State',
    cell: ({ overall_status }) => <Badge tone={toneOf(overall_status)}>{wordsOf(overall_status.toLowerCase())}</Badge>,
  },
  {
    title: 'Sources',
    cell: ({ source_status: sources }) => {
      const finished = sources.filter(({ status }) => status === 'FINISHED').length;
      return sources.length === 0 ? '' : <span className="number">{`${finished} of ${sources.length} done`}</span>;
    },
  },
  {
    title: 'Made',
    end: true,
    cell: ({ create_time }) => (
      <span className="muted">
        <Time value={create_time} />
      </span>
    ),
  },
];

function SuppressedUsers() {
  const users = useRead(
    ['suppressed-users'],
    (client, signal, workspace) =>
      take(client.suppressedUsers.list(workspace, { signal, pageSize: SHOWN_USERS + 1 }), SHOWN_USERS),
    { every: 2 * AT_REST_MS },
  );
  return (
    <Card title="Suppressed users" note="Their events are dropped, in every source." flush>
      <Loaded query={users}>
        {({ items, hasMore }) => (
          <>
            {items.length === 0 && (
              <Empty icon="privacy" title="Nobody is suppressed">
                Suppressed users are listed here.
              </Empty>
            )}
            {items.length > 0 && (
              <Table label="Suppressed users" columns={USERS} rows={items} keyOf={({ user_id }) => user_id} />
            )}
            {hasMore && <p className="more muted">The first {SHOWN_USERS} are shown.</p>}
          </>
        )}
      </Loaded>
    </Card>
  );
}

const USERS: readonly Column<SuppressedUser>[] = [
  { title: 'User id', cell: ({ user_id }) => <span className="mono">{user_id}</span> },
  {
    title: 'Since',
    end: true,
    cell: ({ suppress_time }) => (
      <span className="muted">
        <Time value={suppress_time} />
      </span>
    ),
  },
];
