import type { Computed, ComputeRequest, ProfileStorage } from '../../profile-storage.ts';
import { membersSql, type PlanScope, valuesSql } from '../../profiles/plan-sql.ts';
import { isMoved } from '../../profiles/attributed-sql.ts';
import type { Parameters } from '../../profiles/dialect.ts';
import type { Measured, Plan } from '../../../audiences/plan.ts';
import type { Database, Queries } from '../connection/database.ts';
import { reads, writes } from '../connection/statement.ts';
import { workspaceOf } from '../../../model/resource-names.ts';
import { dialectOf, postgresParameters } from './dialect.ts';
import { type Found, forgetErased } from './erased-meanwhile.ts';
import { COMPUTATIONS, findNumbers, findSpace, giveNumbers, MEASURES, spaceOf, TRAITS } from './numbers.ts';

/** One run of a computation at a time, over all routers. */
const LOCK = writes(
  'lock_runs',
  "SELECT pg_advisory_xact_lock(hashtextextended('waybill runs ' || current_schema() || ' ' || $1, 0))",
);
const RUNS = reads(
  'last_runs',
  `SELECT run, evaluated, size, entered, gone AS "left" FROM runs WHERE computation = $1 ORDER BY run DESC LIMIT 2`,
);
const SIZE = reads(
  'count_profiles',
  `SELECT count(*) AS size FROM users WHERE space = $1 AND NOT ${isMoved('users.id')}`,
);
/** Until the run ends, whoever tidies removes nothing of it, however long ago it was deleted. */
const STANDS = writes(
  'stands',
  'SELECT c.id FROM computations c JOIN spaces s ON s.id = c.space WHERE c.id = $1 FOR SHARE',
);
const ADD_RUN = writes('add_run', 'INSERT INTO runs VALUES ($1, $2, $3, $4, $5, $6)');
const FORGET_RUNS = writes('forget_runs', 'DELETE FROM runs WHERE computation = $1 AND run < $2');
const FORGET_RESULTS = writes('forget_results', 'DELETE FROM results WHERE computation = $1 AND until <= $2');

interface RunRow extends Computed {
  readonly run: number;
}

/** A run that was kept before is answered as it was: whoever asks again may not know that it was committed. */
export function compute({ patient }: Pick<Database, 'patient'>): ProfileStorage['compute'] {
  return async (request) => {
    const { counts, found } = await patient.transaction((queries) => computeOnce(queries, request));
    if (counts.entered > 0) await forgetErased(patient, found);
    return counts;
  };
}

interface Ran {
  readonly counts: Computed;
  readonly found: Found;
}

/** Rows that neither this run nor the one before has are removed. */
async function computeOnce(
  queries: Queries,
  { computation: name, run, space: of, ...request }: ComputeRequest,
): Promise<Ran> {
  await queries.run(LOCK, [name]);
  const space = await spaceOf(queries, of);
  const computation = (await giveNumbers(queries, COMPUTATIONS, space, [name]))(name) ?? 0;
  if ((await queries.run(STANDS, [computation])).length === 0) throw new Error(`${name} is gone`);
  const found = { workspace: workspaceOf(name), space, computation, run };
  const runs = await queries.run<RunRow>(RUNS, [computation]);
  const known = runs.find((one) => one.run === run);
  if (known !== undefined) return { counts: countsOf(known), found: { ...found, lastUser: Number.MAX_SAFE_INTEGER } };
  const last = runs[0]?.run ?? run;
  if (last > run) throw new Error(`run ${run} of ${name} comes after run ${last}`);
  const evaluated = await sizeOf(queries, space);
  const { lastUser, ...kept } = await keepFound(queries, { space, computation, run, of: request.of });
  await queries.run(FORGET_RESULTS, [computation, last]);
  await queries.run(FORGET_RUNS, [computation, last]);
  await queries.run(ADD_RUN, [computation, run, evaluated, kept.size, kept.entered, kept.left]);
  return { counts: { evaluated, ...kept }, found: { ...found, lastUser } };
}

function countsOf({ evaluated, size, entered, left }: Computed): Computed {
  return { evaluated, size, entered, left };
}

async function sizeOf(queries: Queries, space: number): Promise<number> {
  return (await queries.run<{ readonly size: number }>(SIZE, [space]))[0]?.size ?? 0;
}

/** Rows `user_id`, `value` of whom a definition finds, and the values of its parameters. */
async function foundBy(
  queries: Queries,
  space: number,
  of: ComputeRequest['of'],
): Promise<{ readonly sql: string; readonly parameters: Parameters }> {
  const parameters = postgresParameters();
  const names = namesIn('members' in of ? of.members : { kind: 'measured', value: of.values, is: { exists: true } });
  const measureOf = await findNumbers(queries, MEASURES, space, names.measures);
  const traitOf = await findNumbers(queries, TRAITS, space, names.traits);
  const scope: PlanScope = {
    dialect: dialectOf((number) => parameters.values[number - 1] ?? ''),
    parameters,
    space,
    measureOf: (id) => measureOf(id) ?? 0,
    traitOf: (name) => traitOf(name) ?? 0,
  };
  const found =
    'members' in of
      ? `SELECT profile, 'true'::text AS value FROM (${membersSql(of.members, scope)}) p`
      : valuesSql(of.values, scope);
  return { sql: `SELECT u.value AS user_id, f.value FROM (${found}) f JOIN users u ON u.id = f.profile`, parameters };
}

/** What a plan refers to, whose numbers are asked for before its SQL is made. */
function namesIn(plan: Plan): {
  readonly measures: readonly Measured['measure'][];
  readonly traits: readonly string[];
} {
  switch (plan.kind) {
    case 'all':
    case 'any': {
      const parts = plan.of.map(namesIn);
      return { measures: parts.flatMap(({ measures }) => measures), traits: parts.flatMap(({ traits }) => traits) };
    }
    case 'not':
      return namesIn(plan.of);
    case 'trait':
      return { measures: [], traits: [plan.name] };
    case 'measured':
      return { measures: [plan.value.measure], traits: [] };
  }
}

interface Kept extends Pick<Found, 'lastUser'> {
  readonly size: number;
  readonly entered: number;
  readonly left: number;
}

interface Run {
  readonly space: number;
  readonly computation: number;
  readonly run: number;
  readonly of: ComputeRequest['of'];
}

/**
 * Brings the results of a computation to what is found: whoever stays as it was keeps its row. Both are grouped, and not joined,
 * as neither has an index by which the other could look it up.
 */
async function keepFound(queries: Queries, { space, computation, run, of }: Run): Promise<Kept> {
  const { sql, parameters } = await foundBy(queries, space, of);
  const [own, now] = [parameters.add(computation), parameters.add(run)];
  const keep = writes(
    '',
    `WITH wanted AS MATERIALIZED (${sql}),
     changed AS MATERIALIZED (
       SELECT user_id, max(row) AS row, max(value) FILTER (WHERE row IS NULL) AS value FROM (
         SELECT user_id, value, NULL::tid AS row FROM wanted
         UNION ALL SELECT user_id, value, ctid FROM results WHERE computation = ${own} AND until IS NULL
       ) compared GROUP BY user_id
       HAVING max(value) FILTER (WHERE row IS NULL) IS DISTINCT FROM max(value) FILTER (WHERE row IS NOT NULL)
     ), ended AS (
       UPDATE results SET until = ${now} WHERE ctid = ANY(ARRAY(SELECT row FROM changed WHERE row IS NOT NULL))
     ), begun AS (
       INSERT INTO results (computation, user_id, since, value)
       SELECT ${own}, user_id, ${now}, value FROM changed WHERE value IS NOT NULL
     )
     SELECT (SELECT count(*) FROM wanted) AS size, count(*) FILTER (WHERE row IS NULL) AS entered,
       count(*) FILTER (WHERE value IS NULL) AS "left", (SELECT coalesce(max(id), 0) FROM users) AS "lastUser" FROM changed`,
  );
  const [kept] = await queries.run<Kept>(keep, parameters.values);
  if (kept === undefined) throw new Error('the database did not say what a run found');
  return kept;
}

export function preview(database: Pick<Database, 'patient'>): ProfileStorage['preview'] {
  return ({ space: name, members, sample }) =>
    database.patient.transaction(async (queries) => {
      const space = await findSpace(queries, name);
      if (space === undefined) return { evaluated: 0, size: 0, sample: [] };
      const { sql, parameters } = await foundBy(queries, space, { members });
      const look = reads(
        '',
        `WITH wanted AS MATERIALIZED (${sql}) SELECT (SELECT count(*) FROM wanted) AS size,
           ARRAY(SELECT user_id FROM wanted ORDER BY user_id LIMIT ${parameters.add(sample)}) AS sample`,
      );
      const [found] = await queries.run<{ readonly size: number; readonly sample: readonly string[] }>(
        look,
        parameters.values,
      );
      return { evaluated: await sizeOf(queries, space), size: found?.size ?? 0, sample: found?.sample ?? [] };
    });
}
