import type { DatabaseSync } from 'node:sqlite';
import type { Computed, ComputeRequest, Result, ResultsPage, ResultsRequest } from '../../profile-storage.ts';
import { type Query, query } from '../../file/deliveries/query.ts';
import type { AllNumbers } from './numbers.ts';

type Found = Pick<Computed, 'evaluated' | 'size'>;

interface RunRow extends Computed {
  readonly run: number;
}

/**
 * Brings the results of a computation to what a run found, which stands in `wanted`: whoever stays as it was keeps its row. Rows
 * that neither this run nor the one before has are removed. A run that was kept before is answered as it was.
 */
export function keepRun(
  database: DatabaseSync,
  numbers: AllNumbers,
): (request: ComputeRequest, space: number, find: () => Found) => Computed {
  const runs = query<RunRow>(
    database,
    'SELECT run, evaluated, size, entered, gone AS left FROM runs WHERE computation = ? ORDER BY run DESC LIMIT 2',
  );
  const replace = replaceResults(database);
  const add = database.prepare('INSERT INTO runs VALUES (?, ?, ?, ?, ?, ?)');
  const forget = database.prepare('DELETE FROM runs WHERE computation = ? AND run < ?');
  return ({ computation: name, run }, space, find) => {
    const computation = numbers.computations.of(space, name);
    const [last, before] = runs.all(computation);
    const known = [last, before].find((one) => one?.run === run);
    if (known !== undefined)
      return { evaluated: known.evaluated, size: known.size, entered: known.entered, left: known.left };
    if (last !== undefined && last.run > run) throw new Error(`run ${run} of ${name} comes after run ${last.run}`);
    const found = find();
    const { entered, left } = replace(computation, run, last?.run ?? run);
    forget.run(computation, last?.run ?? run);
    add.run(computation, run, found.evaluated, found.size, entered, left);
    return { ...found, entered, left };
  };
}

function replaceResults(
  database: DatabaseSync,
): (computation: number, run: number, kept: number) => Pick<Computed, 'entered' | 'left'> {
  const end = database.prepare(`
    UPDATE results SET until = ?2 WHERE computation = ?1 AND until IS NULL
      AND NOT EXISTS (SELECT 1 FROM wanted w WHERE w.user_id = results.user_id AND w.value = results.value)`);
  const begin = database.prepare(`
    INSERT INTO results (computation, user_id, since, value) SELECT ?1, w.user_id, ?2, w.value FROM wanted w
    WHERE NOT EXISTS (SELECT 1 FROM results r WHERE r.computation = ?1 AND r.user_id = w.user_id AND r.until IS NULL)
    ORDER BY w.user_id`);
  const changed = query<{ readonly count: number }>(
    database,
    `SELECT count(*) AS count FROM results old WHERE old.computation = ?1 AND old.until = ?2 AND EXISTS
      (SELECT 1 FROM results new WHERE new.computation = ?1 AND new.user_id = old.user_id AND new.since = ?2)`,
  );
  const forget = database.prepare('DELETE FROM results WHERE computation = ? AND until <= ?');
  return (computation, run, kept) => {
    const ended = Number(end.run(computation, run).changes);
    const begun = Number(begin.run(computation, run).changes);
    const both = changed.get(computation, run)?.count ?? 0;
    forget.run(computation, kept);
    return { entered: begun - both, left: ended - both };
  };
}

export function resultsOf(database: DatabaseSync): (request: ResultsRequest) => ResultsPage {
  const runs = query<{ readonly computation: number; readonly run: number }>(
    database,
    `SELECT r.computation, r.run FROM runs r JOIN computations c ON c.id = r.computation
     WHERE c.name = ?1 AND r.run = coalesce(?2, r.run) ORDER BY r.run DESC LIMIT 1`,
  );
  const page = (part: string): Query<Result> =>
    query(
      database,
      `SELECT user_id AS user, value, since FROM results WHERE computation = ?1 AND user_id > ?3${part}
         AND since <= ?2 AND (until IS NULL OR until > ?2) ORDER BY user_id LIMIT ?4`,
    );
  const [toTheEnd, within] = [page(''), page(' AND user_id <= ?5')];
  return ({ computation: name, run: wanted, after = '', upTo, limit }) => {
    const found = runs.get(name, wanted ?? null);
    if (found === undefined) return { run: undefined, results: [], next: undefined };
    const bounds = [found.computation, found.run, after, limit + 1] as const;
    const rows = upTo === undefined ? toTheEnd.all(...bounds) : within.all(...bounds, upTo);
    const results = rows.slice(0, limit);
    return { run: found.run, results, next: rows.length > limit ? results.at(-1)?.user : undefined };
  };
}
