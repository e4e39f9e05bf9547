import { expect } from 'vitest';
import type { Measure } from '../../audiences/measure.ts';
import type { Aggregate, Comparison, Measured, Plan } from '../../audiences/plan.ts';
import type { Event } from '../../model/message.ts';
import { type Caught, caughtBehind, type Inbox, isCleared } from '../../storage/inbox.ts';
import type { MeasuredSpace, ProfileStorage } from '../../storage/profile-storage.ts';
import type { Keeping } from '../oracle/stored.ts';
import { openMemoryProfiles, openProfilesInMemory } from '../support/memory-profiles.ts';

/** Profiles on a place of their own, with what is caught for them. */
export interface ProfilePlace extends Keeping {
  readonly profiles: ProfileStorage;
  /** As an accept does, in this order. */
  readonly catches: (caught: readonly Omit<Caught, 'id'>[]) => Promise<void>;
  /** How many wait in the inbox. */
  readonly waiting: () => Promise<number>;
  /** Whether other routers fold and tidy the same profiles. */
  readonly isShared: boolean;
  /** The same once more, as after the end of the process. */
  readonly reopen: () => Promise<ProfileStorage>;
  /** The inbox as it was restored from a backup that is older than all that was caught. */
  readonly restoreInbox: () => Promise<void>;
  readonly end: () => Promise<void>;
}

export type OpenProfiles = () => Promise<ProfilePlace>;

export interface ProfileFact {
  readonly title: string;
  readonly check: (place: ProfilePlace) => Promise<void>;
}

export class ArrayInbox implements Inbox {
  rows: Caught[] = [];
  #last = 0;

  catch(rows: readonly Omit<Caught, 'id'>[]): void {
    for (const one of rows) this.rows.push({ id: (this.#last += 1), ...one });
  }

  restore(): void {
    this.rows = [];
    this.#last = 0;
  }

  async readInbox(asked: Parameters<Inbox['readInbox']>[0]): Promise<readonly Caught[]> {
    return caughtBehind(this.rows, asked);
  }

  async clearInbox(request: Parameters<Inbox['clearInbox']>[0]): Promise<void> {
    this.rows = this.rows.filter((one) => !isCleared(one, request));
  }

  async lastCaught(): Promise<number> {
    return this.rows.at(-1)?.id ?? 0;
  }

  async continueInbox({ after }: Parameters<Inbox['continueInbox']>[0]): Promise<void> {
    this.#last = Math.max(this.#last, after);
  }
}

/** Nothing of it survives the process: reopened is the same memory. */
export async function memoryProfilesPlace(
  spoil: (own: ProfileStorage, inbox: ArrayInbox) => Partial<ProfileStorage> = () => ({}),
): Promise<ProfilePlace> {
  const [inbox, engine] = [new ArrayInbox(), openProfilesInMemory()];
  const open = async (): Promise<ProfileStorage> => {
    const own = await openMemoryProfiles(inbox, engine);
    return { ...own, ...spoil(own, inbox) };
  };
  return { profiles: await open(), ...inboxOf(inbox), reopen: open, end: async () => engine.database.close() };
}

/** What the engine on SQLite shares, wherever it is. */
export function inboxOf(
  inbox: ArrayInbox,
): Keeping & Pick<ProfilePlace, 'isShared' | 'catches' | 'waiting' | 'restoreInbox'> {
  return {
    isShared: false,
    nul: 'kept',
    catches: async (rows) => inbox.catch(rows),
    waiting: async () => inbox.rows.length,
    restoreInbox: async () => inbox.restore(),
  };
}

export const HOUR = 3_600_000;
/** The end of an hour of 2026-03-01. */
export const NOON = Date.UTC(2026, 2, 1, 12);
export const SOURCE = 'workspaces/main/sources/js';

/** An event of the source, as it is caught; `at` is in hours behind noon. */
export function caught(at: number, event: Partial<Event>, source = SOURCE): Omit<Caught, 'id'> {
  const timestamp = new Date(NOON + at * HOUR).toISOString();
  const times = { timestamp, receivedAt: timestamp };
  const messageId = `m ${at} ${JSON.stringify(event)}`;
  const whole: Event = { type: 'track', messageId, context: {}, ...times, ...event };
  return { source, caught: JSON.stringify(whole) };
}

export function measure(kind: Measure['kind'], fql: string, of?: string, rest: Partial<Measure> = {}): Measure {
  const path = of?.split('.');
  return { id: [kind, fql, of ?? '', JSON.stringify(rest)].join(' '), kind, where: fql, of: path, from: 0, ...rest };
}

export function space(...measures: readonly Measure[]): MeasuredSpace {
  return { id: 'workspaces/main@1', workspace: 'workspaces/main', measures };
}

/** The last hour of noon. */
export const T = NOON / HOUR - 1;

export function measured(
  of: Measure,
  aggregate: Aggregate,
  ofNone: Measured['ofNone'] = 'missing',
  hours = { to: T } as Measured['hours'],
): Measured {
  return { measure: of.id, aggregate, hours, ofNone };
}

export function where(value: Measured, is: Comparison): Plan {
  return { kind: 'measured', value, is };
}

/** Everybody, in the order of their ids. */
export const EVERYBODY: Plan = { kind: 'all', of: [] };

export function not(of: Plan): Plan {
  return { kind: 'not', of };
}

/** Catches events and folds them. */
export async function tell(
  { profiles, catches }: Pick<ProfilePlace, 'profiles' | 'catches'>,
  spaces: readonly MeasuredSpace[],
  ...events: readonly Omit<Caught, 'id'>[]
): Promise<void> {
  await catches(events);
  await profiles.fold({ spaces: async () => spaces, limit: 1_000 });
}

/** Who is a member by a plan. */
export async function membersOf(
  { profiles }: Pick<ProfilePlace, 'profiles'>,
  members: Plan,
): Promise<readonly string[]> {
  return (await profiles.preview({ space: space().id, members, sample: 1_000 })).sample;
}

/** What a computed trait would be: users with values, which their profiles say as well. */
export async function valuesOf(
  { profiles }: Pick<ProfilePlace, 'profiles'>,
  values: Measured,
): Promise<Readonly<Record<string, unknown>>> {
  const computation = `workspaces/main/computed-traits/${JSON.stringify(values)}`;
  await profiles.compute({ space: space().id, computation, run: 1, of: { values } });
  const { results } = await profiles.results({ computation, limit: 1_000 });
  const found = Object.fromEntries(results.map(({ user, value }): [string, unknown] => [user, JSON.parse(value)]));
  for (const user of await membersOf({ profiles }, EVERYBODY)) {
    const own = await profiles.profile({ space: space().id, user, measures: [], values: [values] });
    expect(own?.values, `the value in the profile of ${user}`).toEqual([found[user] ?? NONE[values.ofNone]]);
  }
  return found;
}

const NONE = { zero: 0, missing: undefined } as const;
