import { type ErasedProfiles, type EraseRequest, foldAll, type ProfileStorage } from '../../profile-storage.ts';
import { confirmed } from '../connection/confirmed.ts';
import type { Database, Queries } from '../connection/database.ts';
import { reads } from '../connection/statement.ts';
import { storable } from '../../../model/json-values.ts';
import { numbers } from '../deliveries/columns.ts';
import { waitLonger } from '../jobs/wait-for-accepts.ts';
import { profilesOf } from './identity.ts';
import { lockProfiles } from './locks.ts';
import { findNumbers, USERS } from './numbers.ts';
import { type Person, type Persons, removePersons } from './remove-persons.ts';

/** Behind the accepts that it waits for. */
const ALL_CAUGHT = '0';
/** So many at a time when all that was caught is folded. */
const LOT = 5_000;
/** So many ids are looked up before any of theirs is removed: a regulation may name tens of thousands, in each of its steps. */
const IDS_AT_ONCE = 1_000;
/** All folds of the workspace wait for a transaction that erases: no other profile is begun in it after so long with the lock. */
const ENOUGH_SECONDS = 0.3;
/** So many at most go together, which spares statements … */
const MOST_TOGETHER = 64;
/** … but stay where that takes too long: those behind may have a thousand times as much as those before. */
const TOO_LONG_SECONDS = 2 * ENOUGH_SECONDS;
const [BEGIN, UNDO] = [reads('begin_together', 'SAVEPOINT together'), reads('undo_together', 'ROLLBACK TO together')];
const HELD = reads(
  'locked_for',
  'SELECT extract(epoch FROM clock_timestamp())::double precision - $1::double precision AS seconds',
);

const SPACES = reads('spaces_of_workspace', "SELECT id FROM spaces WHERE starts_with(name, $1 || '@')");
const TEXTS = reads('texts_of_users', 'SELECT id, value FROM users WHERE id = ANY($1::bigint[])');

interface Id {
  readonly id: number;
}

/**
 * Folds what was caught, once the accepts have ended that were under way when it was asked first, and removes users with all that is
 * theirs by then, of their anonymous ids too. Of an anonymous id that others were seen with as well, their hours stay.
 */
export function erase(
  database: Database,
  { fold, lastCaught }: Pick<ProfileStorage, 'fold' | 'lastCaught'>,
): ProfileStorage['erase'] {
  return async ({ workspace, userIds, spaces, after }) => {
    // What they have caught is not seen yet: it would be folded afterwards.
    const place = await waitLonger(database, after);
    const caught = { spaces, limit: LOT, workspace, upTo: await lastCaught() };
    // In transactions of their own: all other folds of the workspace wait for each.
    const folded = await foldAll(() => fold(caught));
    const erased = await confirmed(database, async (queries) => {
      const since = await lockProfiles(queries, workspace);
      const removed = await removeFirst(queries, { workspace, userIds, since });
      return { ...removed, tookMs: 1_000 * (await heldFor(queries, since)) };
    });
    const next = place.isWaiting ? place.next : ALL_CAUGHT;
    return { ...folded, ...erased, isMore: erased.isMore || place.isWaiting, next };
  };
}

interface Removal extends Pick<EraseRequest, 'workspace' | 'userIds'> {
  /** When the lock was there. */
  readonly since: number;
}

/** As many as there is time for: those that follow are looked up next time, behind those that are gone. */
async function removeFirst(
  queries: Queries,
  { workspace, userIds, since }: Removal,
): Promise<Pick<ErasedProfiles, 'unasked' | 'isMore'>> {
  const asked = new Set(userIds.map(storable));
  let hasRemoved = false;
  for (const { id } of await queries.run<Id>(SPACES, [workspace])) {
    for (let from = 0; from < userIds.length; from += IDS_AT_ONCE) {
      // However long it took to find those that are left, it goes on with one of them.
      if (hasRemoved && (await isEnough(queries, since))) return { unasked: [], isMore: true };
      const some = await personsIn(queries, id, userIds.slice(from, from + IDS_AT_ONCE));
      const others = some.flatMap(({ ids }) => ids.filter((one) => !asked.has(one)));
      if (others.length > 0) return { unasked: [...new Set(others)], isMore: false };
      if (await removeSome(queries, { space: id, persons: some }, since)) return { unasked: [], isMore: true };
      hasRemoved ||= some.length > 0;
    }
  }
  return { unasked: [], isMore: false };
}

async function personsIn(queries: Queries, space: number, userIds: readonly string[]): Promise<readonly Person[]> {
  const numberOf = await findNumbers(queries, USERS, space, userIds);
  const found = await profilesOf(
    queries,
    userIds.flatMap((userId) => numberOf(userId) ?? []),
  );
  const persons = new Map(found.map(({ profile, users }) => [profile, users]));
  const users = numbers([...persons.values()].flat());
  const texts = new Map(
    (await queries.run<Id & { readonly value: string }>(TEXTS, [users])).map((one) => [one.id, one.value]),
  );
  const idsOf = (own: readonly number[]): string[] => own.flatMap((id) => texts.get(id) ?? []);
  return Array.from(persons, ([profile, own]) => ({ profile, users: own, ids: idsOf(own) }));
}

/** Those that there is time for, one at least. Each goes as a whole: who is known in part would be told what never held. */
async function removeSome(queries: Queries, { space, persons }: Persons, since: number): Promise<boolean> {
  const begun = await heldFor(queries, since);
  for (let [from, count] = [0, 1]; from < persons.length; from += count) {
    if (from > 0) {
      const held = await heldFor(queries, since);
      if (held > ENOUGH_SECONDS) return true;
      const expected = (from * (ENOUGH_SECONDS - held)) / (held - begun);
      count = Math.max(1, Math.min(2 * count, Math.floor(expected), MOST_TOGETHER));
    }
    const some = { space, persons: persons.slice(from, from + count) };
    if (count === 1) await removePersons(queries, some);
    else if (!(await areRemoved(queries, some, since + TOO_LONG_SECONDS))) return true;
  }
  return false;
}

/** False where that takes too long: then all of them are left. */
async function areRemoved(queries: Queries, persons: Persons, until: number): Promise<boolean> {
  await queries.run(BEGIN);
  const isDone = await removePersons(queries, persons, until);
  if (!isDone) await queries.run(UNDO);
  return isDone;
}

async function isEnough(queries: Queries, since: number): Promise<boolean> {
  return (await heldFor(queries, since)) > ENOUGH_SECONDS;
}

async function heldFor(queries: Queries, since: number): Promise<number> {
  return (await queries.run<{ readonly seconds: number }>(HELD, [since]))[0]?.seconds ?? 0;
}
