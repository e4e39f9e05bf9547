import type { Expression } from '../fql/expression.ts';
import { parse } from '../fql/parse.ts';
import { isObject } from '../model/json-values.ts';
import type { Event } from '../model/message.ts';
import { slugOf } from '../model/resource-names.ts';
import type { MeasuredSpace } from '../storage/profile-storage.ts';
import type { Computations } from './computations.ts';
import { hourOf, timeOf } from './hours.ts';
import { textsNeeded } from './narrow.ts';
import { partsNeeded } from './needed-parts.ts';

/** How many pairs of ids are known to be caught: to forget them costs a row each, and no more. */
const KNOWN_PAIRS = 100_000;

/** As much of an event as says who was seen, and when. What is caught like this is counted by no measure. */
export type SeenIds = Pick<Event, 'userId' | 'anonymousId' | 'messageId' | 'timestamp' | 'receivedAt'>;

/** What measures look at in an event that one of them may count, with what it says of who it is about. */
export type CountableEvent = SeenIds & Pick<Event, 'type'> & Partial<Event>;

/** What an acceptance carries for the profiles, as JSON. */
export type CaughtEvent = CountableEvent | SeenIds;

/** What is kept of accepted events for profiles, beside what is delivered. */
export interface Catcher {
  /** For events of one workspace that are accepted together; undefined where nothing of them is kept. */
  begin(workspace: string): CatchBatch | undefined;
}

export interface CatchBatch {
  /** What is stored with the event, as JSON; undefined when nothing. To be asked once for each, in order. */
  readonly of: (event: Event) => string | undefined;
  /** Once it is on disk: for each event that was asked for, whether it was new. What came again was not kept again. */
  readonly stored: (isNew: readonly boolean[]) => void;
}

interface Computed extends Pick<Computations, 'space'> {
  /** By full name. */
  readonly get: (name: string) => object | undefined;
}

export interface CatcherPorts {
  /** What is computed in a workspace now; the space is the same object until that changes. */
  readonly computations: (workspace: string) => Computed;
  /** Another one after each deletion of users of a workspace; undefined while one is under way. */
  readonly erasures: (workspace: string) => number | undefined;
}

/**
 * Keeps of an event what measures look at, where one may count it; traits and aliases in any case. Of what else came, ids are kept:
 * whose event it was, and of two ids that came together the earliest time in each hour of event time, by which an anonymous id
 * has its owner.
 */
export function createCatcher({ computations, erasures }: CatcherPorts): Catcher {
  const sieves = new WeakMap<MeasuredSpace, Sieve>();
  const known = new KnownPairs();
  const sieveOf = (space: MeasuredSpace): Sieve => {
    const sieve = sieves.get(space) ?? newSieve(space);
    sieves.set(space, sieve);
    return sieve;
  };
  return {
    begin(workspace) {
      const { space, get } = computations(workspace);
      if (space === undefined) return undefined;
      const erasedBefore = erasures(workspace);
      known.keepSince(space, erasedBefore);
      const { isCounted, partOf } = sieveOf(space);
      const pairs: (Pair | undefined)[] = [];
      return {
        of: (event) => {
          const isKept = !isOurs(event, workspace, get);
          const pair = isKept ? known.pairIn(space, event) : undefined;
          pairs.push(pair);
          if (!isKept) return undefined;
          if (isCounted(event)) return JSON.stringify({ ...partOf(event), ...saidOf(event) });
          if (event.type === 'alias' || event.type === 'identify') return JSON.stringify(saidOf(event));
          return pair === undefined || known.has(pair) ? undefined : JSON.stringify(idsOf(event));
        },
        stored: (isNew) => {
          // AUD-7: a deletion may have taken it, or takes it yet.
          if (erasedBefore === undefined || erasures(workspace) !== erasedBefore) return;
          for (const [index, pair] of pairs.entries()) if (pair !== undefined && isNew[index] === true) known.add(pair);
        },
      };
    },
  };
}

interface Sieve {
  readonly isCounted: (event: Event) => boolean;
  readonly partOf: (event: Event) => object;
}

function newSieve({ measures }: MeasuredSpace): Sieve {
  const conditions = measures.map(({ where }) => parse(where));
  const values = measures.flatMap(({ of }) => (of === undefined ? [] : [of]));
  return { isCounted: mayMeet(conditions), partOf: partsNeeded(conditions, values) };
}

/** What an event says of who it is about. */
function saidOf(event: Event): object {
  const { type, traits, previousId } = event;
  const ids = { type, ...idsOf(event) };
  if (type === 'identify') return { ...ids, traits };
  return type === 'alias' ? { ...ids, previousId } : ids;
}

/** By which most conditions choose their events, the most telling first. */
const FIELDS = ['event', 'name', 'type'] as const;

type Field = (typeof FIELDS)[number];

/** Whether an event may be one for which one of several conditions holds: never no where it does. */
export function mayMeet(conditions: readonly Expression[]): (event: Event) => boolean {
  const wanted = new Map<Field, ReadonlySet<string>>();
  for (const condition of conditions) {
    const field = FIELDS.find((one) => textsNeeded(condition, one) !== undefined);
    const texts = field && textsNeeded(condition, field);
    if (field === undefined || texts === undefined) return () => true;
    wanted.set(field, texts.union(wanted.get(field) ?? new Set()));
  }
  const fields = [...wanted];
  return (event) => fields.some(([field, texts]) => texts.has(event[field] ?? ''));
}

/** A user, with the anonymous id that came with it, in one hour of a space. */
interface Pair {
  readonly key: string;
  readonly at: number;
  readonly space: string;
  readonly hour: number;
  readonly isAlone: boolean;
}

/** User ids that came alone, and with an anonymous id: those that are caught already, each with the earliest time. */
interface Hour {
  readonly alone: Map<string, number>;
  readonly together: Map<string, number>;
}

/** Longer ones are of no person, and are caught each time rather than kept here. */
const KNOWN_CHARACTERS = 500;

/** Pairs that are caught already. Most events repeat one: to look it up makes no text. */
class KnownPairs {
  readonly #spaces = new Map<string, Map<number, Hour>>();
  readonly #erasures = new Map<string, number | undefined>();
  #size = 0;

  /** Forgets what was caught before users of the space were deleted: it may have gone with them (AUD-7). */
  keepSince({ id: space }: MeasuredSpace, erasures: number | undefined): void {
    if (erasures === this.#erasures.get(space)) return;
    this.#erasures.set(space, erasures);
    for (const { alone, together } of this.#spaces.get(space)?.values() ?? []) this.#size -= alone.size + together.size;
    this.#spaces.delete(space);
  }

  /** Undefined for an event of a visitor, who is nobody until it is seen with a user id. Keeps nothing: it may not be stored. */
  pairIn({ id: space }: MeasuredSpace, event: Event): Pair | undefined {
    const { userId, anonymousId } = event;
    if (userId === undefined) return undefined;
    const at = timeOf(event);
    const place = { at, space, hour: hourOf(at) };
    if (anonymousId === undefined) return { ...place, key: userId, isAlone: true };
    // With its length, an id ends where it ends: whatever is in it, no other pair has this key.
    return { ...place, key: `${userId.length} ${userId}${anonymousId}`, isAlone: false };
  }

  has({ key, at, space, hour, isAlone }: Pair): boolean {
    const caught = this.#spaces.get(space)?.get(hour);
    const earliest = caught?.[isAlone ? 'alone' : 'together'].get(key);
    return earliest !== undefined && earliest <= at;
  }

  add(pair: Pair): void {
    if (this.has(pair) || pair.key.length > KNOWN_CHARACTERS) return;
    if (this.#size >= KNOWN_PAIRS) this.#forget();
    const { alone, together } = this.#hour(pair.space, pair.hour);
    const caught = pair.isAlone ? alone : together;
    if (!caught.has(pair.key)) this.#size += 1;
    caught.set(pair.key, pair.at);
  }

  #hour(space: string, number: number): Hour {
    const hours = this.#spaces.get(space) ?? new Map<number, Hour>();
    const hour = hours.get(number) ?? { alone: new Map<string, number>(), together: new Map<string, number>() };
    if (!hours.has(number)) this.#spaces.set(space, hours.set(number, hour));
    return hour;
  }

  #forget(): void {
    this.#spaces.clear();
    this.#size = 0;
  }
}

/**
 * Notices of the router, and what an audience or a computed trait of the workspace told a webhook and a source sent back: it would
 * count itself. One that was deleted counts nothing: what it told says traits as any other `identify` (AUD-6).
 */
function isOurs({ type, context: { personas } }: Event, workspace: string, get: Computed['get']): boolean {
  if (type !== 'identify' || !isObject(personas)) return type === 'delete';
  const { namespace, computation_id: id } = personas;
  const names = [`${workspace}/audiences/${String(id)}`, `${workspace}/computed-traits/${String(id)}`];
  return namespace === slugOf(workspace) && names.some((name) => get(name) !== undefined);
}

function idsOf({ messageId, userId, anonymousId, timestamp, receivedAt }: Event) {
  return { messageId, userId, anonymousId, timestamp, receivedAt };
}
