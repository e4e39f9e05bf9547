import type { DatabaseSync } from 'node:sqlite';
import type { Computed, ComputeRequest, Preview, PreviewRequest } from '../../profile-storage.ts';
import { isMoved } from '../attributed-sql.ts';
import { Parameters } from '../dialect.ts';
import { membersSql, type PlanScope, valuesSql } from '../plan-sql.ts';
import { query } from '../../file/deliveries/query.ts';
import type { DiskRoom } from '../../file/disk-room.ts';
import { SQLITE } from './dialect.ts';
import type { AllNumbers } from './numbers.ts';
import { keepRun } from './results.ts';

export interface ComputeOperations {
  readonly compute: (request: ComputeRequest) => Computed;
  readonly preview: (request: PreviewRequest) => Preview;
  /** Profiles have come or gone. */
  readonly forgetSizes: () => void;
}

/**
 * What a run finds stands in a temporary table, in the order of the users, until it is compared or counted. Its file gives back what
 * is no longer used.
 */
const WANTED = `PRAGMA temp.auto_vacuum = FULL;
  CREATE TEMP TABLE wanted (user_id TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID`;

/** What a run may take of the disk for a user, sorted and in the temporary table, until it ends. */
const SORTED_BYTES = 100;
/** Of a user and its value in the results, beside their texts; and all of it once more in the log. */
const [ROW_BYTES, COPIES] = [30, 2];

export function computeOperations(
  database: DatabaseSync,
  numbers: AllNumbers,
  room: Pick<DiskRoom, 'requireForRun'>,
): ComputeOperations {
  database.exec(WANTED);
  const clear = database.prepare('DELETE FROM wanted');
  const size = query<{ readonly size: number }>(database, 'SELECT count(*) AS size FROM wanted');
  const bytes = query<{ readonly bytes: number }>(
    database,
    `SELECT total(octet_length(user_id) + octet_length(value) + ${ROW_BYTES}) * ${COPIES} AS bytes FROM wanted`,
  );
  const sample = query<{ readonly user_id: string }>(database, 'SELECT user_id FROM wanted ORDER BY user_id LIMIT ?');
  const [keep, fill, sizes] = [keepRun(database, numbers), fillWanted(database, numbers), sizesOf(database)];
  // Everybody at most: how many are found is known when they are sorted.
  const find: typeof fill = (space, of) => {
    room.requireForRun(sizes.of(space) * SORTED_BYTES);
    fill(space, of);
  };
  return {
    forgetSizes: () => sizes.forget(),
    compute: (request) => {
      const space = numbers.spaces.of(request.space);
      const computed = keep(request, space, () => {
        find(space, request.of);
        // Events of others, changes of the configuration and a start of the router need what is left then.
        room.requireForRun(bytes.get()?.bytes ?? 0);
        return { evaluated: sizes.of(space), size: size.get()?.size ?? 0 };
      });
      clear.run();
      return computed;
    },
    preview: ({ space: name, members, sample: most }) => {
      const space = numbers.spaces.find(name) ?? 0;
      find(space, { members });
      const found = sample.all(most).map(({ user_id }) => user_id);
      const previewed = { evaluated: sizes.of(space), size: size.get()?.size ?? 0, sample: found };
      clear.run();
      return previewed;
    },
  };
}

function fillWanted(database: DatabaseSync, numbers: AllNumbers): (space: number, of: ComputeRequest['of']) => void {
  return (space, of) => {
    const parameters = new Parameters(SQLITE);
    const scope: PlanScope = {
      dialect: SQLITE,
      parameters,
      space,
      measureOf: (id) => numbers.measures.find(space, id) ?? 0,
      traitOf: (name) => numbers.traits.find(space, name) ?? 0,
    };
    const found =
      'members' in of
        ? `SELECT profile, 'true' AS value FROM (${membersSql(of.members, scope)}) p`
        : valuesSql(of.values, scope);
    const sql = `INSERT INTO wanted SELECT u.value, f.value FROM (${found}) f JOIN users u ON u.id = f.profile ORDER BY u.value`;
    database.prepare(sql).run(...parameters.values);
  };
}

interface Sizes {
  of(space: number): number;
  forget(): void;
}

/** How many profiles a space has, counted once for all runs that follow each other. */
function sizesOf(database: DatabaseSync): Sizes {
  const known = new Map<number, number>();
  const count = query<{ readonly size: number }>(
    database,
    `SELECT count(*) AS size FROM users WHERE space = ? AND NOT ${isMoved('users.id')}`,
  );
  return {
    of: (space) => {
      const size = known.get(space) ?? count.get(space)?.size ?? 0;
      known.set(space, size);
      return size;
    },
    forget: () => known.clear(),
  };
}
