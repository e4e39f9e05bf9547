/** What a workspace may have many of: rows of one source and destination, or sources or destinations with a row each … */
const MANY_OF = ['rows', 'sources', 'destinations'] as const;
type Many = (typeof MANY_OF)[number];
export const MANY: Readonly<Record<Many, string>> = {
  rows: 'workspaces/rows',
  sources: 'workspaces/sources',
  destinations: 'workspaces/fans',
};
/** … and one beside them. */
const LITTLE = 'workspaces/little';
export const HOMES = [...MANY_OF.map((of) => MANY[of]), LITTLE];
export const SPACE = 'all';
/** A delivery that has ended, and was tried again and again. */
export const OFTEN = 1;

const [SOURCE, DESTINATION, AUDIENCE] = ['sources/s', 'sources/s/destinations/d', 'audiences/x'];
/** Deleted. */
export const GONE = 'audiences/gone';
/** Source and destination of the n-th row; of the first those that every workspace has. */
const NTH = "CASE n WHEN 1 THEN '' ELSE CAST(n AS text) END";
const PLACES: Readonly<Record<Many, readonly [source: string, destination: string]>> = {
  rows: [`'${SOURCE}'`, `'${DESTINATION}'`],
  sources: [`'${SOURCE}' || ${NTH}`, `'${SOURCE}' || ${NTH} || '/destinations/d'`],
  destinations: [`'${SOURCE}'`, `'${DESTINATION}' || ${NTH}`],
};
const CARRIED = { round: '1', earlier_rounds: '0', received_at: '1000', type: "'track'", event: "'E'", user_id: "'u'" };
const waits = (until: string) => ({ tries: '1', closed: "'[]'", window_from: '1000', due_at: until, set_at: '1000' });
const SYNC =
  'computation, number, state, started_at, ended_at, progress, sent, delivered, failed, expired, superseded, held';

/** How an engine keeps deliveries: of those that wait and of those that have ended, columns beside `CARRIED`. */
export interface DeliveryTables {
  /** What is added to each id. */
  readonly first: string;
  readonly waiting: Into;
  readonly ended: Into;
  /** Columns that it alone has, in bulk replays and counts. */
  readonly replays: Readonly<Record<string, string>>;
  readonly counts: Readonly<Record<string, string>>;
}

interface Into {
  readonly table: string;
  readonly columns: Readonly<Record<string, string>>;
}

export const IN_POSTGRES: DeliveryTables = {
  first: '((now_ms() / 86400000) << 38)',
  waiting: { table: 'queue', columns: { bytes: '9' } },
  ended: { table: 'log', columns: { bytes: '9', state: "'failed'", ended_at: 'now_ms()' } },
  replays: {},
  counts: { node: '0' },
};

export const IN_SQLITE: DeliveryTables = {
  first: '0',
  waiting: { table: 'deliveries', columns: { state: "'pending'", ended_at: '0' } },
  ended: {
    table: 'deliveries',
    columns: {
      state: "'failed'",
      ended_at: 'now_ms()',
      tries: '1',
      closed: "'[]'",
      window_from: '0',
      due_at: '0',
      set_at: '0',
    },
  },
  replays: { last_id: '1' },
  counts: {},
};

/** Scripts that store so many of each thing of each of `MANY`. */
export function muchStored(count: number, tables: DeliveryTables): readonly string[] {
  const names = [SOURCE, DESTINATION, AUDIENCE, GONE].flatMap((one) => HOMES.map((home) => `('${home}/${one}')`));
  const homes = MANY_OF.map((of, index) => {
    const first = `${tables.first} + ${index * 10_000_000}`;
    return storedOf({ home: MANY[of], places: PLACES[of], count, first }, tables);
  });
  return [`INSERT INTO names (name) VALUES ${names.join()};`, ...homes];
}

interface Home {
  readonly home: string;
  readonly places: readonly [source: string, destination: string];
  readonly count: number;
  readonly first: string;
}

function storedOf(
  { home, places: [source, destination], count, first }: Home,
  { waiting, ended, replays, counts }: DeliveryTables,
): string {
  const idOf = (name: string): string => `(SELECT id FROM names WHERE name = '${home}/${name}')`;
  const deliveries = ({ table, columns }: Into, from: number): string => {
    const id = `${first} + ${from} + n`;
    const message = { id, source: 'source', received_at: '1000', event: `'{"type":"track","messageId":"m"}'` };
    return (
      inserted('messages', message) +
      inserted(table, { id, message: id, destination: 'destination', ...CARRIED, ...columns })
    );
  };
  const due = (at: string): Into => ({ ...waiting, columns: { ...waiting.columns, ...waits(at) } });
  return `
    ${many(count, { source: `'${home}/' || ${source}`, destination: `'${home}/' || ${destination}` }, 'placed')}
    INSERT INTO names (name) SELECT name FROM (SELECT source AS name FROM placed UNION SELECT destination FROM placed
      UNION SELECT '${home}/${AUDIENCE}' || n FROM placed) one WHERE true ON CONFLICT DO NOTHING;
    CREATE TEMP TABLE many AS SELECT n, s.id AS source, d.id AS destination FROM placed
      JOIN names s ON s.name = placed.source JOIN names d ON d.name = placed.destination;
    ${deliveries(due('now_ms() - 1000'), 1_000_000)}
    ${deliveries(due('now_ms() + 9000000'), 2_000_000)}
    ${deliveries(ended, 0)}
    INSERT INTO attempts (delivery, round, number, started_at, webhook, duration_ms, outcome, excerpt, rule)
      SELECT ${first} + ${OFTEN}, n, 0, 1, 'https://a.test', 1, 'http_4xx', '', '' FROM many;
    INSERT INTO replays (delivery, earlier_rounds, at) SELECT ${first} + n, 1, n FROM many;
    ${inserted('counts', { hour: 'n * CAST(3600000 AS bigint)', destination: 'destination', what: "'delivered'", count: '1', ...counts })}
    ${inserted('replay_jobs', { destination: 'destination', ...REPLAY, ...replays })}
    INSERT INTO inbox (source, caught) SELECT source, '{}' FROM many;
    ${[AUDIENCE, GONE].map((one) => `INSERT INTO syncs (${SYNC}) SELECT ${idOf(one)}, n, 'DONE', 1, now_ms(), '{"destinations":[]}', 0, 0, 0, 0, 0, 0 FROM many;`).join('\n')}
    INSERT INTO syncs (${SYNC}) SELECT id, 1, 'DONE', 1, now_ms(), '{"destinations":[]}', 0, 0, 0, 0, 0, 0
      FROM names WHERE name LIKE '${home}/${AUDIENCE}_%';
    INSERT INTO told (computation, destination, user_id, value, sync, delivery, held_in)
      SELECT id, ${idOf(DESTINATION)}, 'u', 'true', 1, id, 0 FROM names WHERE name LIKE '${home}/${AUDIENCE}_%';
    INSERT INTO told (computation, destination, user_id, value, sync, delivery, held_in)
      SELECT ${idOf(AUDIENCE)}, destination, 'u' || n, 'true', 1, n, 0 FROM many;
    INSERT INTO used_ids (owner, id, until) SELECT '${home}/${SOURCE}', decode(md5(CAST(n AS text)), 'hex'), now_ms() - 1 FROM many;
    DROP TABLE many; DROP TABLE placed;`;
}

const REPLAY = {
  state: "'finished'",
  filter: "'{}'",
  dry_run: 'false',
  per_second: '1',
  created_at: '1',
  ended_at: 'now_ms()',
  examined: '1',
  matched: '1',
  at_received: '1',
  at_id: '1',
};

/** A row for each of `many`. */
function inserted(table: string, columns: Readonly<Record<string, string>>): string {
  return `INSERT INTO ${table} (${Object.keys(columns).join()}) SELECT ${Object.values(columns).join()} FROM many;`;
}

/** What routers of a database share besides. */
export function muchShared(count: number): string {
  return `${many(count)} ${HOMES.filter((home) => home !== LITTLE)
    .map(
      (home) => `
    INSERT INTO rates SELECT '${home}' || n, 1, now_ms() + 60000 FROM many;
    INSERT INTO loss_counts SELECT '${home}/sources/' || n, 'dropped', now_ms() / 86400000, '', '', 1, 1, 1 FROM many;
    INSERT INTO loss_items (owner, list, at, item) SELECT '${home}/sources/' || n, 'dropped', now_ms(), '{}' FROM many;`,
    )
    .join('')} DROP TABLE many;`;
}

/** What is known of the users of one workspace. */
export function muchMeasured(count: number): string {
  return `${many(count)}
    INSERT INTO spaces (name) VALUES ${HOMES.map((home) => `('${home}@${SPACE}')`).join()};
    INSERT INTO users (space, value) SELECT 1, 'u' || n FROM many;
    INSERT INTO computations (space, name) VALUES (1, '${MANY.rows}/${AUDIENCE}');
    INSERT INTO runs VALUES (1, 1, 1, 1, 1, 0);
    INSERT INTO results SELECT 1, 'u' || n, 1, NULL, 'true' FROM many;
    DROP TABLE many;`;
}

/** A table of so many rows, with what is made of their number. */
function many(count: number, columns: Readonly<Record<string, string>> = {}, table = 'many'): string {
  const made = Object.entries(columns).map(([name, value]) => `, ${value} AS ${name}`);
  return `CREATE TEMP TABLE ${table} AS WITH RECURSIVE numbered (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbered WHERE n < ${count})
    SELECT n${made.join('')} FROM numbered;`;
}
