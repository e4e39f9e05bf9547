import { byTiles, explain } from '../../server/audiences/explain.ts';
import type { Plan } from '../../server/audiences/plan.ts';
import { valueOfTiles } from '../../server/audiences/tile-values.ts';
import { compareUsers } from '../../server/audiences/user-order.ts';
import { workspaceOf } from '../../server/model/resource-names.ts';
import type { Inbox } from '../../server/storage/inbox.ts';
import type {
  Computed,
  ComputeRequest,
  Folded,
  FoldRequest,
  ProfileRequest,
  ProfileStorage,
  Result,
  ResultsPage,
  ResultsRequest,
} from '../../server/storage/profile-storage.ts';
import { addTo } from './effects-on-users.ts';
import { newUser, type User } from './user.ts';

/** A run of a computation, with what it found of each user. */
interface Run extends Computed {
  readonly number: number;
  readonly results: ReadonlyMap<string, Result>;
}

/** The last two, the newest first. */
type Runs = readonly Run[];

/**
 * Profiles over plain maps: for a few users, on any platform. Users are not merged, and what came with an anonymous id alone
 * is nobody's.
 */
export class SimpleProfiles implements ProfileStorage {
  readonly #inbox: Inbox;
  /** By workspace, then by user id. */
  readonly #users = new Map<string, Map<string, User>>();
  readonly #runs = new Map<string, Runs>();

  constructor(inbox: Inbox) {
    this.#inbox = inbox;
  }

  /** One that is there from the start; what is known of the user already stays. */
  add(workspace: string, user: string, given: Partial<Pick<User, 'traits' | 'anonymousIds'>>): void {
    const known = this.#userOf(workspace, user);
    Object.assign(known.traits, given.traits);
    for (const id of given.anonymousIds ?? []) known.anonymousIds.add(id);
  }

  lastCaught(): Promise<number> {
    return this.#inbox.lastCaught();
  }

  async fold({ spaces, limit, workspace: of, upTo = Infinity }: FoldRequest): Promise<Folded> {
    const own = of === undefined ? undefined : { workspace: of, upTo };
    const page = await this.#inbox.readInbox({ after: 0, limit, of: own });
    const caught = page.filter(({ id }) => id <= upTo);
    const standing = await spaces();
    let refusedIds = 0;
    for (const one of caught) {
      const workspace = workspaceOf(one.source);
      const space = standing.find((each) => each.workspace === workspace);
      if (space !== undefined) refusedIds += addTo((user) => this.#userOf(workspace, user), one, space);
    }
    const last = caught.at(-1);
    if (last !== undefined)
      await this.#inbox.clearInbox({ upTo: last.id, of: own && { workspace: own.workspace, after: 0 } });
    return { events: caught.length, refusedIds, undecided: [], isMore: caught.length === limit };
  }

  async compute({ space, computation, run, of }: ComputeRequest): Promise<Computed> {
    const [last] = this.#runs.get(computation) ?? [];
    if (last?.number === run) return countsOf(last);
    const found = this.#usersOf(space).flatMap((user): Result[] => {
      const value = valueFor(user, of);
      if (value === undefined) return [];
      const before = last?.results.get(user.user);
      return [{ user: user.user, value, since: before?.value === value ? before.since : run }];
    });
    const results = new Map(found.map((one) => [one.user, one]));
    const before = [...(last?.results.keys() ?? [])];
    const counts = {
      evaluated: this.#usersOf(space).length,
      size: results.size,
      entered: found.filter(({ user }) => last?.results.has(user) !== true).length,
      left: before.filter((user) => !results.has(user)).length,
    };
    this.#runs.set(computation, [{ ...counts, number: run, results }, ...(last === undefined ? [] : [last])]);
    return counts;
  }

  async preview({ space, members, sample }: { space: string; members: Plan; sample: number }) {
    const users = this.#usersOf(space);
    const found = users.filter((user) => explain(members, byTiles(user)).holds).map(({ user }) => user);
    return { evaluated: users.length, size: found.length, sample: found.slice(0, sample) };
  }

  async results({ computation, run: wanted, after, upTo, limit }: ResultsRequest): Promise<ResultsPage> {
    const run = this.#runs.get(computation)?.find(({ number }) => wanted === undefined || number === wanted);
    if (run === undefined) return { run: undefined, results: [], next: undefined };
    const all = [...run.results.values()].filter(
      ({ user }) =>
        (after === undefined || compareUsers(user, after) > 0) && (upTo === undefined || compareUsers(user, upTo) <= 0),
    );
    const results = all.slice(0, limit);
    return { run: run.number, results, next: all.length > limit ? results.at(-1)?.user : undefined };
  }

  async profile({ space, user, measures, values = [] }: ProfileRequest) {
    const known = this.#users.get(workspaceIn(space))?.get(user);
    if (known === undefined) return undefined;
    const runs = [...this.#runs].filter(([name]) => workspaceOf(name) === workspaceIn(space));
    const results = runs.flatMap(([computation, [last]]) => {
      const result = last?.results.get(user);
      return result === undefined ? [] : [{ computation, value: result.value, since: result.since }];
    });
    const { traits, tiles } = known;
    return {
      user,
      userIds: [user],
      anonymousIds: [...known.anonymousIds].toSorted(compareUsers),
      traits: { ...traits },
      results,
      values: values.map((measured) => valueOfTiles(measured, tiles)),
      tiles: tiles.filter(({ measure }) => measures.includes(measure)),
    };
  }

  async standing({ space, users }: { readonly space: string; readonly users: readonly string[] }) {
    const known = this.#users.get(workspaceIn(space));
    return users.map((user) => (known?.has(user) === true ? ('known' as const) : ('unknown' as const)));
  }

  async erase({ workspace, userIds, spaces }: Parameters<ProfileStorage['erase']>[0]) {
    while ((await this.fold({ spaces, limit: 1_000 })).isMore);
    const users = this.#users.get(workspace);
    const inWorkspace = [...this.#runs].filter(([name]) => workspaceOf(name) === workspace);
    for (const user of userIds) users?.delete(user);
    for (const [name, runs] of inWorkspace)
      this.#runs.set(
        name,
        runs.map((run) => ({
          ...run,
          results: new Map([...run.results].filter(([user]) => !userIds.includes(user))),
        })),
      );
    return { unasked: [], refusedIds: 0, undecided: [], isMore: false };
  }

  async tidy({ needed }: Parameters<ProfileStorage['tidy']>[0]): Promise<boolean> {
    const { computations } = await needed();
    for (const name of this.#runs.keys()) if (!computations.includes(name)) this.#runs.delete(name);
    return false;
  }

  #userOf(workspace: string, user: string): User {
    const users = this.#users.get(workspace) ?? new Map<string, User>();
    this.#users.set(workspace, users);
    const known = users.get(user) ?? newUser(user);
    users.set(user, known);
    return known;
  }

  /** In the order of their ids. */
  #usersOf(space: string): User[] {
    const users = [...(this.#users.get(workspaceIn(space))?.values() ?? [])];
    return users.toSorted((one, other) => compareUsers(one.user, other.user));
  }
}

function countsOf({ evaluated, size, entered, left }: Run): Computed {
  return { evaluated, size, entered, left };
}

/** As JSON; undefined for who is no member, or has no value. */
function valueFor(user: User, of: ComputeRequest['of']): string | undefined {
  if ('members' in of) return explain(of.members, byTiles(user)).holds ? 'true' : undefined;
  const value = valueOfTiles(of.values, user.tiles);
  return value === undefined ? undefined : JSON.stringify(value);
}

/** `workspaces/main@1760000000000` → `workspaces/main` */
function workspaceIn(space: string): string {
  return space.slice(0, space.lastIndexOf('@'));
}
