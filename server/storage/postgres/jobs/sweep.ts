import type { Queries } from '../connection/database.ts';
import { fromBytes, toBytes } from '../../fingerprint.ts';
import { writes } from '../connection/statement.ts';
import { SWEEP_USED_IDS } from '../shared/used-ids.ts';

/** How long slots of message ids are kept at most. */
const SLOTS_MS = 1_800_000;

/** Commits are in the order of their transactions, which is nearly that of their times. */
const SWEEP_IDS = writes(
  'sweep_ids',
  `DELETE FROM commits WHERE ctid = ANY(ARRAY(
     SELECT tid FROM (SELECT ctid AS tid, at FROM commits ORDER BY xact, id LIMIT $2) oldest WHERE at < $1))
   RETURNING octet_length(fingerprints) / 12 AS ids, CASE WHEN at > now_ms() - ${SLOTS_MS} THEN fingerprints END AS recent`,
);
/** Of ids so recent that the database still looks for them itself. */
const SWEEP_SEEN = writes(
  'sweep_seen',
  'DELETE FROM seen WHERE slot = ANY(ARRAY[0, 1, 2]::smallint[]) AND fingerprint = ANY($1::bytea[])',
);
const SWEEP_COUNTS = writes(
  'sweep_counts',
  `DELETE FROM counts WHERE ctid = ANY(ARRAY(SELECT ctid FROM counts WHERE hour < $1 ORDER BY hour LIMIT $2)) RETURNING hour`,
);
/** Of days that were dropped. */
const SWEEP_REPLAYS = writes(
  'sweep_replays',
  `DELETE FROM replays WHERE ctid = ANY(ARRAY(SELECT ctid FROM replays WHERE delivery < $1 ORDER BY delivery LIMIT $2))
   RETURNING delivery`,
);
const SWEEP_JOBS = writes(
  'sweep_jobs',
  `DELETE FROM replay_jobs WHERE ctid = ANY(ARRAY(
     SELECT ctid FROM replay_jobs WHERE state <> 'running' AND ended_at < $1 ORDER BY ended_at LIMIT $2)) RETURNING id`,
);
/** The last stays: the next is numbered behind it. */
const SWEEP_SYNCS = writes(
  'sweep_syncs',
  `DELETE FROM syncs WHERE ctid = ANY(ARRAY(
     SELECT ctid FROM syncs s WHERE ended_at < $1
       AND EXISTS (SELECT FROM syncs l WHERE l.computation = s.computation AND l.number > s.number)
       AND (SELECT true FROM tellings t WHERE t.computation = s.computation AND t.sync = s.number LIMIT 1) IS NULL
     ORDER BY ended_at LIMIT $2)) RETURNING number`,
);
/** Of jobs of routers that died. Whoever still had one would have had it again. */
const SWEEP_LEASES = writes('sweep_leases', 'DELETE FROM leases WHERE until < now_ms() - 86400000');

const HOUR = 3_600_000;

export interface Before {
  readonly endedBefore: number;
  /** By the clock of the database. */
  readonly seenBefore: number;
  /** The first id of the oldest day that is kept. */
  readonly firstId: number;
  /** So many rows of each kind. */
  readonly limit: number;
}

interface SweptCommit {
  readonly ids: number;
  readonly recent: Buffer | null;
}

/** Deletes what is small beside deliveries; answers how many message ids went, and whether there is more. */
export async function sweep(
  queries: Queries,
  { endedBefore, seenBefore, firstId, limit }: Before,
): Promise<{ readonly ids: number; readonly isMore: boolean }> {
  const commits = await queries.run<SweptCommit>(SWEEP_IDS, [seenBefore, limit]);
  const recent = commits.flatMap(({ recent: bytes }) => (bytes === null ? [] : [...fromBytes(bytes)]));
  if (recent.length > 0) await queries.run(SWEEP_SEEN, [recent.map((fingerprint) => toBytes([fingerprint]))]);
  const counts = await queries.run(SWEEP_COUNTS, [endedBefore - HOUR, limit]);
  const replays = await queries.run(SWEEP_REPLAYS, [firstId, limit]);
  const used = await queries.run(SWEEP_USED_IDS, [limit]);
  const jobs = await queries.run(SWEEP_JOBS, [endedBefore, limit]);
  const syncs = await queries.run(SWEEP_SYNCS, [endedBefore, limit]);
  await queries.run(SWEEP_LEASES);
  const isMore = [commits, counts, replays, used, jobs, syncs].some(({ length }) => length >= limit);
  return { ids: commits.reduce((sum, { ids }) => sum + ids, 0), isMore };
}
