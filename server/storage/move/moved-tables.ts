import { isSourceIn } from '../file/deliveries/inbox.ts';
import { MOVED_PROFILES } from './moved-profiles.ts';
import { alike, asTheyAre, type MovedTable } from './moved-table.ts';

/** In both engines, of whatever state. */
const DELIVERY = [
  'id',
  'message',
  'destination',
  'round',
  'earlier_rounds',
  'received_at',
  'type',
  'event',
  'user_id',
  'line',
];
/** Of a delivery that has not ended. */
const WAITING = ['tries', 'closed', 'window_from', 'set_at', 'due_at'];
/** Of the message, which the first of its deliveries brings along. */
const MESSAGE = {
  id: 'message',
  source: 'source',
  received_at: 'message_received_at',
  event: 'message_event',
} as const;

/**
 * Ids of deliveries stay, since people have them. A message gets the id of its first delivery, as PostgreSQL needs it; ids of
 * one message follow each other in both engines. What was being tried waits: no life goes on in another storage. `last_id`
 * of a bulk replay that runs, the last delivery that it looks at, and `replay` of a message tell the same. The three tables of
 * PostgreSQL have columns of the same types, so that the planner merges them in their order.
 */
const deliveries: MovedTable = {
  name: 'deliveries',
  key: ['id'],
  columns: {
    id: 'number',
    message: 'number',
    source: 'number',
    message_received_at: 'number',
    message_event: 'text',
    replay: 'number',
    bytes: 'number',
    destination: 'number',
    state: 'text',
    round: 'number',
    tries: 'number',
    earlier_rounds: 'number',
    closed: 'text',
    received_at: 'number',
    window_from: 'time',
    set_at: 'time',
    due_at: 'time',
    ended_at: 'number',
    type: 'text',
    event: 'text',
    user_id: 'text',
    line: 'number',
  },
  sqlite: {
    from: `SELECT d.id, d.first AS message, CASE WHEN d.id = d.first THEN d.source END AS source, d.message_received_at,
        CASE WHEN d.id = d.first THEN d.message_event END AS message_event, d.bytes,
        (SELECT coalesce(max(j.id), 0) FROM replay_jobs j WHERE j.state = 'running' AND j.last_id < d.id) AS replay,
        d.destination, d.state, d.round, d.tries, d.earlier_rounds, d.closed, d.received_at, d.window_from, d.set_at,
        d.due_at, d.ended_at, d.type, d.event, d.user_id, d.line
      FROM (SELECT d.*, m.source, m.received_at AS message_received_at, m.event AS message_event, length(m.event) AS bytes,
          (SELECT f.id FROM deliveries f WHERE f.id > coalesce((SELECT p.id FROM deliveries p
            WHERE p.id < d.id AND p.message <> d.message ORDER BY p.id DESC LIMIT 1), 0) ORDER BY f.id LIMIT 1) AS first
        FROM deliveries d JOIN messages m ON m.id = d.message) d`,
    into: [
      { table: 'messages', values: MESSAGE, where: 'message_event IS NOT NULL' },
      { table: 'deliveries', values: asTheyAre([...DELIVERY, ...WAITING, 'state', 'ended_at']) },
    ],
  },
  postgres: {
    from: `SELECT d.id, d.message, CASE WHEN d.first THEN m.source END AS source, m.received_at AS message_received_at,
        CASE WHEN d.first THEN m.event END AS message_event, m.replay, d.bytes, d.destination, d.state, d.round, d.tries,
        d.earlier_rounds, d.closed, d.received_at, d.window_from, d.set_at, d.due_at, d.ended_at, d.type, d.event, d.user_id,
        d.line
      FROM (SELECT *, NOT EXISTS (SELECT FROM queue f WHERE f.id >= d.message AND f.id < d.id)
          AND NOT EXISTS (SELECT FROM tries f WHERE f.id >= d.message AND f.id < d.id)
          AND NOT EXISTS (SELECT FROM log f WHERE f.id >= d.message AND f.id < d.id) AS first
        FROM (
          SELECT id, message, bytes, destination, 'pending'::text AS state, round, tries, earlier_rounds, closed, received_at,
            window_from, set_at, due_at, received_at AS ended_at, type, event, user_id, line FROM queue
          UNION ALL SELECT id, message, bytes, destination, 'trying'::text, round, tries, earlier_rounds, closed, received_at,
            window_from, set_at, set_at, received_at, type, event, user_id, line FROM tries
          UNION ALL SELECT id, message, bytes, destination, state, round, 0::integer, earlier_rounds, '[]'::text, received_at,
            received_at, received_at, 0::bigint, ended_at, type, event, user_id, line FROM log
        ) d) d JOIN messages m ON m.id = d.message`,
    into: [
      { table: 'messages', values: { ...MESSAGE, replay: 'replay' }, where: 'message_event IS NOT NULL' },
      {
        table: 'queue',
        values: asTheyAre([...DELIVERY, ...WAITING, 'bytes']),
        where: "state IN ('pending', 'trying')",
      },
      {
        table: 'log',
        values: asTheyAre([...DELIVERY, 'bytes', 'state', 'ended_at']),
        where: "state NOT IN ('pending', 'trying')",
      },
    ],
  },
};

const ATTEMPT = {
  delivery: 'number',
  round: 'number',
  number: 'number',
  started_at: 'number',
  webhook: 'text',
  duration_ms: 'number',
  outcome: 'text',
  status: 'number',
  excerpt: 'text',
  rule: 'text',
  next_due_at: 'number',
  connect_ms: 'number',
  send_ms: 'number',
  wait_ms: 'number',
  read_ms: 'number',
} as const;

/** Counted: SQLite tells attempts of a round apart by when they began, too. */
const NUMBER_IN_ROUND = `(SELECT count(*) FROM attempts b WHERE b.delivery = a.delivery AND b.round = a.round
    AND (b.number, b.started_at) < (a.number, a.started_at)) AS number`;

const JOB = {
  id: 'number',
  destination: 'number',
  state: 'text',
  filter: 'text',
  dry_run: 'number',
  per_second: 'number',
  created_at: 'number',
  ended_at: 'number',
  examined: 'number',
  matched: 'number',
  at_received: 'number',
  at_id: 'number',
  last_id: 'number',
} as const;
const { last_id: _derived, ...JOB_IN_POSTGRES } = JOB;
const JOB_COLUMNS = Object.keys(JOB_IN_POSTGRES);

/** A router that was killed may not have cleared what it folded. */
const NOT_FOLDED = `inbox WHERE id > (SELECT position FROM folded) AND NOT EXISTS (
  SELECT 1 FROM names n JOIN folded_ahead a ON ${isSourceIn('a.workspace', 'n.name')}
  WHERE n.id = inbox.source AND inbox.id <= a.position)`;
const INBOX = { id: 'number', source: 'number', caught: 'text' } as const;
const SYNC = {
  computation: 'number',
  number: 'number',
  state: 'text',
  started_at: 'number',
  ended_at: 'number',
  computed: 'text',
  progress: 'text',
  sent: 'number',
  delivered: 'number',
  failed: 'number',
  expired: 'number',
  superseded: 'number',
  held: 'number',
  reason: 'text',
} as const;
const TOLD = {
  computation: 'number',
  destination: 'number',
  user_id: 'text',
  value: 'text',
  sync: 'number',
  delivery: 'number',
  held_in: 'number',
} as const;

/** All that is moved, but for the resources. Names go first; of them fingerprints are made, so their numbers stay. */
export const MOVED: readonly MovedTable[] = [
  alike('names', ['id'], { id: 'number', name: 'text' }),
  deliveries,
  alike('attempts', ['delivery', 'round', 'number'], ATTEMPT, {
    sqlite: {
      from: `SELECT ${Object.keys(ATTEMPT)
        .map((column) => (column === 'number' ? NUMBER_IN_ROUND : column))
        .join(', ')} FROM attempts a`,
    },
  }),
  alike('replays', ['delivery', 'at', 'earlier_rounds'], {
    delivery: 'number',
    at: 'number',
    earlier_rounds: 'number',
  }),
  alike('replay_jobs', ['id'], JOB, {
    postgres: {
      from: `SELECT ${JOB_COLUMNS.map((column) => (column === 'dry_run' ? 'dry_run::int' : column)).join(', ')},
        CASE WHEN state = 'running' THEN (SELECT coalesce(max(d.id), 0) FROM messages m JOIN
          (SELECT id, message FROM queue UNION ALL SELECT id, message FROM tries UNION ALL SELECT id, message FROM log) d
          ON d.message = m.id WHERE m.replay < j.id) ELSE 0 END AS last_id FROM replay_jobs j`,
      into: [{ table: 'replay_jobs', values: { ...asTheyAre(JOB_COLUMNS), dry_run: 'dry_run <> 0' } }],
    },
  }),
  alike(
    'counts',
    ['hour', 'destination', 'what'],
    { hour: 'number', destination: 'number', what: 'text', count: 'number' },
    {
      postgres: {
        from: 'SELECT hour, destination, what, sum(count)::bigint AS count FROM counts GROUP BY hour, destination, what',
        into: [{ table: 'counts', values: { ...asTheyAre(['hour', 'destination', 'what', 'count']), node: '0' } }],
      },
    },
  ),
  alike('inbox', ['id'], INBOX, {
    sqlite: { from: `SELECT id, source, caught FROM ${NOT_FOLDED}` },
    postgres: { into: [{ table: 'inbox', values: asTheyAre(['source', 'caught']) }] },
  }),
  alike('syncs', ['computation', 'number'], SYNC),
  alike('told', ['computation', 'destination', 'user_id'], TOLD),
  alike('tellings', ['delivery'], { delivery: 'number', computation: 'number', sync: 'number' }),
  {
    name: 'used_ids',
    key: ['owner', 'id'],
    columns: { owner: 'text', id: 'text', until: 'wall' },
    sqlite: {
      from: 'SELECT owner, hex(id) AS id, until FROM used_ids',
      into: [{ table: 'used_ids', values: { owner: 'owner', id: 'unhex(id)', until: 'until' } }],
    },
    postgres: {
      from: "SELECT owner, encode(id, 'hex') AS id, until FROM used_ids",
      into: [{ table: 'used_ids', values: { owner: 'owner', id: "decode(id, 'hex')", until: 'until' } }],
    },
  },
  {
    name: 'message_ids',
    key: ['id'],
    columns: { id: 'number', at: 'time', fingerprints: 'bytes' },
    sqlite: {
      from: 'SELECT id, seen_at AS at, ids AS fingerprints FROM seen',
      into: [{ table: 'seen', values: { id: 'id', seen_at: 'at', ids: 'fingerprints' } }],
    },
    postgres: {
      from: 'SELECT id, at, fingerprints FROM commits',
      into: [{ table: 'commits', values: asTheyAre(['id', 'at', 'fingerprints']) }],
    },
  },
  ...MOVED_PROFILES,
];

/** What is counted on both sides: queries of one number. */
export const COUNTED: Readonly<Record<string, { readonly sqlite: string; readonly postgres: string }>> = {
  names: same('names'),
  messages: same('messages'),
  deliveries: {
    sqlite: 'SELECT count(*) AS count FROM deliveries',
    postgres:
      'SELECT (SELECT count(*) FROM queue) + (SELECT count(*) FROM tries) + (SELECT count(*) FROM log) AS count',
  },
  attempts: same('attempts'),
  replays: same('replays'),
  replay_jobs: same('replay_jobs'),
  counts: {
    sqlite: 'SELECT count(*) AS count FROM counts',
    postgres: 'SELECT count(*) AS count FROM (SELECT DISTINCT hour, destination, what FROM counts) one',
  },
  inbox: { ...same('inbox'), sqlite: `SELECT count(*) AS count FROM ${NOT_FOLDED}` },
  syncs: same('syncs'),
  told: same('told'),
  tellings: same('tellings'),
  used_ids: same('used_ids'),
  message_ids: {
    sqlite: 'SELECT coalesce(sum(length(ids)), 0) / 12 AS count FROM seen',
    postgres: 'SELECT coalesce(sum(length(fingerprints)), 0) / 12 AS count FROM commits',
  },
  ...Object.fromEntries(MOVED_PROFILES.map(({ name }) => [name, same(name)])),
};

function same(table: string): { readonly sqlite: string; readonly postgres: string } {
  const query = `SELECT count(*) AS count FROM ${table}`;
  return { sqlite: query, postgres: query };
}
