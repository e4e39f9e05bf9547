import { compareUsers } from '../../../audiences/user-order.ts';
import { MOST_IDS, type Union } from '../../profiles/sqlite/identity.ts';
import type { Queries } from '../connection/database.ts';
import { reads, writes } from '../connection/statement.ts';
import { storable } from '../../../model/json-values.ts';
import { numbers } from '../deliveries/columns.ts';

/** That an anonymous id was seen with a user, at the least time of an hour. */
export interface Link {
  readonly anonymous: number;
  readonly owner: number;
  readonly hour: number;
  at: number;
}

/** Of each user the profile, with all of its users, and as many of its anonymous ids as decide whether it may have more. */
const PROFILES = reads(
  'profiles_of_users',
  `SELECT one.id, p.profile, ARRAY(SELECT p.profile UNION ALL SELECT m.id FROM moved m WHERE m.profile = p.profile) AS users,
     ARRAY(SELECT DISTINCT l.anonymous FROM (SELECT p.profile AS id UNION ALL SELECT m.id FROM moved m WHERE m.profile = p.profile) u,
       LATERAL (SELECT anonymous FROM links WHERE owner = u.id OFFSET 0) l LIMIT ${MOST_IDS + 1}) AS anonymous
   FROM unnest($1::bigint[]) one (id),
     LATERAL (SELECT coalesce((SELECT profile FROM moved WHERE id = one.id), one.id) AS profile) p`,
);
const KNOWN = reads(
  'known_links',
  `SELECT one.anonymous, one.owner FROM unnest($1::bigint[], $2::bigint[]) one (anonymous, owner)
   WHERE (SELECT true FROM links l WHERE l.owner = one.owner AND l.anonymous = one.anonymous LIMIT 1)`,
);
const LINK = writes(
  'link_ids',
  `INSERT INTO links (anonymous, hour, at, owner) SELECT * FROM unnest($1::bigint[], $2::integer[], $3::bigint[], $4::bigint[])
   ON CONFLICT (anonymous, hour, owner) DO UPDATE SET at = excluded.at WHERE excluded.at < links.at`,
);
const MERGES = reads(
  'read_merges',
  'SELECT profile, at, message AS "messageId" FROM merges WHERE profile = ANY($1::bigint[])',
);
const MOVE = writes(
  'move_users',
  `INSERT INTO moved (id, profile) SELECT one, $2 FROM unnest($1::bigint[]) one
   ON CONFLICT (id) DO UPDATE SET profile = excluded.profile`,
);
const STAY = writes('stay_user', 'DELETE FROM moved WHERE id = $1');
const UNMERGE = writes('unmerge', 'DELETE FROM merges WHERE profile = ANY($1::bigint[])');
const MERGED = writes('merged', 'INSERT INTO merges (profile, at, message) VALUES ($1, $2, $3)');

export interface ProfileIds {
  /** The user that was asked for. */
  readonly id: number;
  readonly profile: number;
  readonly users: readonly number[];
  readonly anonymous: readonly number[];
}

export async function profilesOf(queries: Queries, users: Iterable<number>): Promise<readonly ProfileIds[]> {
  const all = [...new Set(users)];
  return all.length === 0 ? [] : queries.run<ProfileIds>(PROFILES, [numbers(all)]);
}

/** Links, each of another anonymous id, hour and owner; answers how many of them would be more ids than a profile may have. */
export async function linkAll(queries: Queries, links: readonly Link[]): Promise<number> {
  if (links.length === 0) return 0;
  const refused = await refusedOf(queries, links);
  const kept = links
    .filter((one) => !refused.has(pairOf(one)))
    .toSorted((a, b) => a.anonymous - b.anonymous || a.hour - b.hour || a.owner - b.owner);
  await queries.run(LINK, [
    numbers(kept.map(({ anonymous }) => anonymous)),
    numbers(kept.map(({ hour }) => hour)),
    numbers(kept.map(({ at }) => at)),
    numbers(kept.map(({ owner }) => owner)),
  ]);
  return links.length - kept.length;
}

function pairOf({ anonymous, owner }: Pick<Link, 'anonymous' | 'owner'>): string {
  return `${anonymous} ${owner}`;
}

async function refusedOf(queries: Queries, links: readonly Link[]): Promise<ReadonlySet<string>> {
  const pairs = [...new Map(links.map((one) => [pairOf(one), one])).values()];
  const columns = [numbers(pairs.map(({ anonymous }) => anonymous)), numbers(pairs.map(({ owner }) => owner))];
  const known = new Set((await queries.run<Pick<Link, 'anonymous' | 'owner'>>(KNOWN, columns)).map(pairOf));
  const fresh = pairs.filter((one) => !known.has(pairOf(one)));
  const profiles = await profilesOf(
    queries,
    fresh.map(({ owner }) => owner),
  );
  const byOwner = new Map(profiles.map((one) => [one.id, one]));
  const idsOf = new Map(profiles.map(({ profile, users, anonymous }) => [profile, new Set([...users, ...anonymous])]));
  const refused = new Set<string>();
  for (const one of fresh) {
    const ids = idsOf.get(byOwner.get(one.owner)?.profile ?? one.owner);
    if (ids === undefined) continue;
    if (ids.size >= MOST_IDS && !ids.has(one.anonymous)) refused.add(pairOf(one));
    else ids.add(one.anonymous);
  }
  return refused;
}

interface Merge {
  readonly profile: number;
  readonly at: number;
  readonly messageId: string;
}

/** The profile is told under the user of its latest alias, into whom all others move. False: too many ids. */
export async function unite(queries: Queries, union: Union): Promise<boolean> {
  const found = await profilesOf(queries, [union.previous, union.user]);
  const profiles = [...new Map(found.map((one) => [one.profile, one])).values()];
  const users = profiles.flatMap((one) => one.users);
  const ids = new Set([...users, ...profiles.flatMap((one) => one.anonymous)]);
  if (profiles.length > 1 && ids.size > MOST_IDS) return false;
  const own: Merge = { profile: union.user, at: union.at, messageId: storable(union.messageId) };
  const merges = await queries.run<Merge>(MERGES, [numbers(profiles.map(({ profile }) => profile))]);
  const last = [...merges].reduce((latest, one) => (isLater(one, latest) ? one : latest), own);
  await queries.run(UNMERGE, [numbers(profiles.map(({ profile }) => profile))]);
  const others = users.filter((one) => one !== last.profile);
  await queries.run(MOVE, [numbers(others), last.profile]);
  await queries.run(STAY, [last.profile]);
  await queries.run(MERGED, [last.profile, last.at, last.messageId]);
  return true;
}

function isLater(one: Merge, other: Merge): boolean {
  return one.at > other.at || (one.at === other.at && compareUsers(one.messageId, other.messageId) > 0);
}
