import { type Division, LEASE_MS, type Member, type Members, NO_SHARE, type Peer, type Router } from '../../members.ts';
import type { Database, Queries } from '../connection/database.ts';
import { reads, writes } from '../connection/statement.ts';
import { eachPart, inPart } from '../parts.ts';
import type { DatabaseTime } from '../time.ts';
import { DIVISION, exchange, statementOf } from './exchange.ts';
import { free } from './free.ts';
import type { Holder, OwnLife } from './life.ts';

export interface MemberParts {
  readonly database: Database;
  readonly life: OwnLife;
  readonly time: DatabaseTime;
  /** Where queues begin is not known any more. */
  readonly forgetHeads: () => void;
}

const NOW = reads('now', 'SELECT now_ms() AS now');
/** Two that join at once would take the same number. */
const LOCK = writes(
  'lock_nodes',
  "SELECT pg_advisory_xact_lock(hashtextextended('waybill nodes ' || current_schema(), 0))",
);

/** By how much due times may be ahead of the clock that set them: clocks of routers are measured, not read. */
const UNCERTAIN_MS = 1_000;
/** No lease of a job is longer. */
const LONGEST_LEASE_MS = 900_000;

/**
 * The number that the name has; else the lowest that nobody needs any more; else a new one. Its lives are numbered by the time, so that
 * no two have a number, also where a server took over that lacks the last of them.
 */
const JOIN = writes(
  'join',
  `WITH mine AS (
     SELECT id FROM nodes WHERE name = $1 OR (until IS NULL AND over_at IS NULL) ORDER BY name <> $1, id LIMIT 1
   )
   INSERT INTO nodes (id, name, epoch, until, router, version, started_at, division)
   SELECT coalesce((SELECT id FROM mine), (SELECT coalesce(max(id), 0) + 1 FROM nodes)),
     $1, now_ms(), now_ms() + ${LEASE_MS}, $2, $3, now_ms(), $4::jsonb
   ON CONFLICT (id) DO UPDATE SET name = excluded.name, epoch = greatest(nodes.epoch + 1, excluded.epoch), until = excluded.until,
     router = excluded.router, version = excluded.version, started_at = excluded.started_at, division = excluded.division,
     over_at = now_ms(), horizon = NULL
   RETURNING id, epoch, (SELECT count(*) FROM nodes other WHERE other.until IS NOT NULL AND other.name <> $1) AS others,
     EXISTS (SELECT FROM nodes other WHERE other.until > now_ms() + ${LEASE_MS + UNCERTAIN_MS}) AS "isSetBack"`,
);

/** What a life was told, the next does not hear. */
const FORGET_NEWS = writes('forget_news', 'DELETE FROM news WHERE node = $1');

const BEAT = writes(
  'beat',
  `UPDATE nodes SET until = now_ms() + ${LEASE_MS} WHERE id = $1 AND epoch = $2 AND until IS NOT NULL
   RETURNING now_ms() AS now`,
);
const LIVING = reads('living', `SELECT name AS node, epoch, ${DIVISION} FROM nodes WHERE until > now_ms()`);
const MEMBERS = reads(
  'members',
  `SELECT n.name AS node, n.epoch, n.router AS name, n.version, n.started_at AS "startedAt",
     n.until - ${LEASE_MS} AS "lastBeatAt", count(t.id) AS held,
     n.division->'openCircuits' AS "openCircuits", n.division->'parked' AS parked
   FROM nodes n LEFT JOIN tries t ON t.node = n.id WHERE n.until > now_ms() GROUP BY n.id ORDER BY n.name`,
);
const END = writes('end_life', 'UPDATE nodes SET until = NULL, over_at = now_ms() WHERE id = $1 AND epoch = $2');
/** A clock that was just set forward, of which its node has not heard, ends no life: `$1` is what it would read otherwise. */
const END_SILENT = writes(
  'end_silent_lives',
  'UPDATE nodes SET until = NULL, over_at = now_ms() WHERE until <= least(now_ms(), $1::bigint)',
);

const SET_BACK = writes(
  'set_back',
  `UPDATE queue SET due_at = $1, window_from = window_from - (set_at - $1), set_at = $1
   WHERE ${inPart(2)} AND set_at > $1::bigint + ${UNCERTAIN_MS} AND due_at > $1`,
);
/** Whoever is gone would live, and have its jobs, until the clock reads again what it read then. */
const SHORTEN_LEASES = [
  writes('shorten_lives', `UPDATE nodes SET until = now_ms() + ${LEASE_MS} WHERE until > now_ms() + ${LEASE_MS}`),
  writes(
    'shorten_job_leases',
    `UPDATE leases SET until = now_ms() + ${LONGEST_LEASE_MS} WHERE until > now_ms() + ${LONGEST_LEASE_MS}`,
  ),
];

export function memberVerbs({ database, life, time, forgetHeads }: MemberParts): Members {
  /** The database's clock was set back: what waits would wait for as long once more. */
  let isSetBack = false;
  const catchUp = async (at: number): Promise<void> => {
    for (const statement of SHORTEN_LEASES) await database.urgent.run(statement);
    await eachPart(database, 'queue', (bounds) => database.run(SET_BACK, [at, ...bounds]));
    forgetHeads();
    isSetBack = false;
  };
  return {
    async join({ now, router = { name: life.node, version: '' } }) {
      isSetBack = (await measure(database.urgent, time)) || isSetBack;
      const timeline = database.timeline();
      const {
        others,
        isSetBack: isFound,
        ...holder
      } = await database.urgent.transaction((queries) => begin(queries, life.node, { router, time }));
      isSetBack ||= isFound;
      life.begin(holder, timeline);
      forgetHeads();
      const at = time.toDatabase(now);
      const freed = await free(database, at, holder.id);
      if (others === 0 || isSetBack) await catchUp(at);
      return { node: life.node, epoch: holder.epoch, freed };
    },
    async beat() {
      const { holder } = life;
      if (holder === undefined) return undefined;
      const answer = await beat({ database, life, time }, holder);
      isSetBack ||= answer.isSetBack;
      if (isSetBack) await catchUp(time.now());
      return answer.isAlive ? { leaseMs: LEASE_MS, members: await living(database.urgent) } : undefined;
    },
    reap: reap(database, time),
    members: members(database),
    exchange: exchange(database.urgent, life, time),
  };
}

/** After its clock was set forward, the lease of whoever was heard of before is as long as it was. */
function reap(database: Database, time: DatabaseTime): Members['reap'] {
  return async ({ now }) => {
    await database.run(END_SILENT, [time.toDatabase(time.steady() - LEASE_MS) + LEASE_MS]);
    return free(database, time.toDatabase(now));
  };
}

function members(database: Database): Members['members'] {
  return async () => {
    const rows = await database.run<MemberRow>(MEMBERS);
    return rows.map(({ openCircuits, parked, ...member }) => {
      return { ...member, ...(openCircuits && { openCircuits }), ...(parked && { parked }) };
    });
  };
}

interface MemberRow extends Omit<Member, 'openCircuits' | 'parked'> {
  /** Null: it has told nothing. */
  readonly openCircuits: Member['openCircuits'] | null;
  readonly parked: Member['parked'] | null;
}

interface LivingRow extends Omit<Peer, 'division'> {
  /** Null: it is of a version that has none. */
  readonly division: Division | null;
}

async function living(queries: Queries): Promise<Peer[]> {
  const rows = await queries.run<LivingRow>(LIVING);
  return rows.map(({ division, ...life }) => (division === null ? life : { ...life, division }));
}

/** Ends the life of this process, if it leads one: what it holds is free. */
export async function leave({ database, life, time }: Omit<MemberParts, 'forgetHeads'>): Promise<void> {
  const { holder } = life;
  if (holder === undefined) return;
  await database.run(END, [holder.id, holder.epoch]);
  life.end(holder);
  await free(database, time.now(), holder.id);
}

interface Begun {
  readonly id: number;
  readonly epoch: number;
  readonly others: number;
  /** Somebody has a lease that is longer than any. */
  readonly isSetBack: boolean;
}

interface Beginning {
  readonly router: Router;
  readonly time: DatabaseTime;
}

async function begin(queries: Queries, node: string, { router, time }: Beginning): Promise<Begun> {
  await queries.run(LOCK);
  const told = [node, router.name, router.version, statementOf(NO_SHARE, time)];
  const [begun] = await queries.run<Begun>(JOIN, told);
  if (begun === undefined) throw new Error('the database gave this node no number');
  await queries.run(FORGET_NEWS, [begun.id]);
  return begun;
}

/** Compares the clocks: true where the database's was set back meanwhile. */
export function measure(queries: Queries, time: DatabaseTime): Promise<boolean> {
  return time.measure(async () => (await queries.run<{ readonly now: number }>(NOW))[0]?.now ?? time.now());
}

/** Not alive when the life is over. The answer tells the database's time as well. */
async function beat(
  { database, life, time }: Omit<MemberParts, 'forgetHeads'>,
  holder: Holder,
): Promise<{ readonly isAlive: boolean; readonly isSetBack: boolean }> {
  let isAlive = false;
  const isSetBack = await time.measure(async () => {
    const [answer] = await database.urgent.run<{ readonly now: number }>(BEAT, [holder.id, holder.epoch]);
    isAlive = answer !== undefined;
    return answer?.now ?? time.now();
  });
  if (!isAlive) life.end(holder);
  // What it has sent is still told. And a life that takes nothing any more has to end, whatever the database says of it now.
  return { isAlive: isAlive && !life.isLeftBehind && !life.isOver, isSetBack };
}
