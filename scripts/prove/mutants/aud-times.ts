import type { Mutant } from '../mutant.ts';

/** Of when audiences and computed traits are computed and told, and what does not keep them from it. */
export const AUD_TIMES: readonly Mutant[] = [
  {
    rule: 'AUD-4',
    file: 'server/audiences/sync-times.ts',
    find: 'Math.floor((intervalMs / 2) * shareOf(computation))',
    replace: 'Math.floor(intervalMs * shareOf(computation))',
    breaks: 'syncs are up to four hours apart',
  },
  {
    rule: 'AUD-4',
    file: 'server/jobs/sync-cursor.ts',
    find: 'destinations: upTo === undefined ? destinations.filter((one) => one !== destination) : destinations,',
    replace: 'destinations: destinations.filter((one) => one !== destination),',
    breaks: 'a first sync ends after its first page',
  },
  {
    rule: 'AUD-4',
    file: 'server/storage/profiles/attributed-sql.ts',
    find: 'EXISTS (SELECT 1 FROM moved WHERE moved.id = ${user})',
    replace: '${user} IN (SELECT id FROM moved)',
    breaks: 'where many ids were merged, a run on PostgreSQL compares all with all, and comes to no end',
  },
  {
    rule: 'AUD-4',
    file: 'server/jobs/sync-telling.ts',
    find: 'if (!(await this.#room.isAt(destination))) continue;',
    replace: 'if (!(await this.#room.isAt(destination))) return this.#room.waitMs();',
    breaks: 'a destination that takes nothing keeps others of its audience from hearing',
  },
  {
    rule: 'AUD-4',
    file: 'server/jobs/audience-runs.ts',
    find: 'return this.#fail(sync, error);',
    replace: 'throw error;',
    breaks: 'two audiences that cannot be computed keep all others from it',
  },
  {
    rule: 'AUD-4',
    file: 'server/jobs/runner.ts',
    find: "if (end === 'over' && work.isFoundAgain) this.look(queue.kind.name);",
    replace: '',
    breaks: 'a sync that is asked for in the moment in which the last one ends begins ten seconds later',
  },
  {
    rule: 'AUD-4',
    file: 'server/jobs/failure-streak.ts',
    find: 'this.#failures >= GIVE_UP.failures &&',
    replace: 'this.#failures >= 60 &&',
    breaks: 'an audience whose computation takes twenty minutes to fail does so for a day',
  },
  {
    rule: 'AUD-4',
    file: 'server/jobs/runner.ts',
    find: "(queue.kind.atOnce === 1 && typeof after === 'number')",
    replace: "typeof after === 'number'",
    breaks: 'two audiences of a destination that takes nothing stop all others',
  },
  {
    rule: 'AUD-8',
    file: 'server/jobs/audience-runs.ts',
    find: 'if (!isToGoOn || !isSame) await',
    replace: 'if (!isToGoOn) await',
    breaks: 'a router that does not know of an edit yet ends the sync that another computed by it',
  },
  {
    rule: 'AUD-8',
    file: 'server/jobs/due-runs.ts',
    find: 'return isDueAgain && (isLeftToHeldBack(sync) || now >= toldAt + intervalMs);',
    replace: 'return isDueAgain;',
    breaks: 'what takes longer to compute than an interval is never told',
  },
  {
    rule: 'AUD-8',
    file: 'server/jobs/due-runs.ts',
    find: 'return isDueAgain && (isLeftToHeldBack(sync) || now >= toldAt + intervalMs);',
    replace: 'return false && isDueAgain && toldAt > 0;',
    breaks: 'a sync that goes on after nine hours tells what held nine hours ago',
  },
  {
    rule: 'AUD-9',
    file: 'server/storage/profiles/sqlite/profiles.ts',
    find: 'await folding.clear(workspace);',
    replace: '',
    breaks: 'what was folded of a user, and not cleared as the process ended, stays after a deletion',
  },
];
