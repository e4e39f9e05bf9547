import type { DatabaseSync } from 'node:sqlite';
import { query } from '../../file/deliveries/query.ts';

/** Which ids are of one person. What refuses, answers false. */
export interface Identity {
  /** The user that one is told as. */
  readonly profileOf: (user: number) => number;
  /** All user ids of a profile, that one included. */
  readonly usersOf: (profile: number) => number[];
  /** That an anonymous id was seen with a user at a time of an hour. */
  readonly link: (link: Link) => boolean;
  /** That two users are one person, by an alias; it is told under `user`, unless a later alias says otherwise. */
  readonly unite: (union: Union) => boolean;
}

export interface Link {
  readonly anonymous: number;
  readonly owner: number;
  readonly hour: number;
  readonly at: number;
}

export interface Union {
  readonly previous: number;
  readonly user: number;
  readonly at: number;
  readonly messageId: string;
}

/** More ids are no person: somebody sends one id for all. */
export const MOST_IDS = 100;

export function identity(database: DatabaseSync): Identity {
  const moved = query<{ readonly profile: number }>(database, 'SELECT profile FROM moved WHERE id = ?');
  const movedTo = query<{ readonly id: number }>(database, 'SELECT id FROM moved WHERE profile = ?');
  const anonymousOf = query<{ readonly anonymous: number }>(
    database,
    'SELECT DISTINCT anonymous FROM links WHERE owner = ?',
  );
  const profileOf = (user: number): number => moved.get(user)?.profile ?? user;
  const usersOf = (profile: number): number[] => [profile, ...movedTo.all(profile).map(({ id }) => id)];
  const idsOf = (users: readonly number[]): ReadonlySet<number> =>
    new Set([...users, ...users.flatMap((user) => anonymousOf.all(user).map(({ anonymous }) => anonymous))]);
  const parts = { profileOf, usersOf, idsOf };
  return { profileOf, usersOf, link: link(database, parts), unite: unite(database, parts) };
}

interface Parts extends Pick<Identity, 'profileOf' | 'usersOf'> {
  readonly idsOf: (users: readonly number[]) => ReadonlySet<number>;
}

/** Of each hour the least time is kept: which of its events are caught besides does not matter then. */
function link(database: DatabaseSync, { profileOf, usersOf, idsOf }: Parts): Identity['link'] {
  const inHour = query<{ readonly at: number }>(
    database,
    'SELECT at FROM links WHERE anonymous = ? AND hour = ? AND owner = ?',
  );
  const known = query(database, 'SELECT 1 FROM links WHERE owner = ? AND anonymous = ? LIMIT 1');
  const add = database.prepare('INSERT INTO links (anonymous, hour, at, owner) VALUES (?, ?, ?, ?)');
  const remove = database.prepare('DELETE FROM links WHERE anonymous = ? AND hour = ? AND at = ? AND owner = ?');
  return ({ anonymous, owner, hour, at }) => {
    const before = inHour.get(anonymous, hour, owner)?.at;
    if (before !== undefined && before <= at) return true;
    if (before !== undefined) remove.run(anonymous, hour, before, owner);
    else if (known.get(owner, anonymous) === undefined) {
      const ids = idsOf(usersOf(profileOf(owner)));
      if (ids.size >= MOST_IDS && !ids.has(anonymous)) return false;
    }
    add.run(anonymous, hour, at, owner);
    return true;
  };
}

/** The profile is told under the user of its latest alias, into whom all others move. */
function unite(database: DatabaseSync, { profileOf, usersOf, idsOf }: Parts): Identity['unite'] {
  const latest = query<{ readonly at: number; readonly message: string }>(
    database,
    `SELECT at, message FROM merges WHERE profile = ? AND (at, message) > (?, ?)`,
  );
  const move = database.prepare(
    'INSERT INTO moved (id, profile) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET profile = excluded.profile',
  );
  const stay = database.prepare('DELETE FROM moved WHERE id = ?');
  const merged = database.prepare(
    `INSERT INTO merges (profile, at, message) VALUES (?, ?, ?)
     ON CONFLICT (profile) DO UPDATE SET at = excluded.at, message = excluded.message`,
  );
  const unmerge = database.prepare('DELETE FROM merges WHERE profile = ?');
  return ({ previous, user, at, messageId }) => {
    const profiles = [...new Set([profileOf(previous), profileOf(user)])];
    const users = profiles.flatMap((profile) => usersOf(profile));
    if (profiles.length > 1 && idsOf(users).size > MOST_IDS) return false;
    let [to, by] = [user, { at, message: messageId }];
    for (const profile of profiles) {
      const later = latest.get(profile, by.at, by.message);
      if (later !== undefined) [to, by] = [profile, later];
    }
    for (const profile of profiles) unmerge.run(profile);
    for (const one of users) if (one !== to) move.run(one, to);
    stay.run(to);
    merged.run(to, by.at, by.message);
    return true;
  };
}
