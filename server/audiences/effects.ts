import { isObject, takesMoreThan } from '../model/json-values.ts';
import type { Event } from '../model/message.ts';
import type { CaughtEvent } from './catch.ts';
import type { Budget } from '../evaluation/budget.ts';
import type { CountedOf, Counts } from './compiled-measures.ts';
import { hourOf, timeOf } from './hours.ts';

/** What one event does to profiles. Whatever the order in which effects come, the end is the same. */
export interface Effects extends Counts {
  readonly at: number;
  readonly hour: number;
  readonly messageId: string;
  /** Whose event it is: an anonymous id's only where it names no user. Undefined where it names nobody. */
  readonly holder: Holder | undefined;
  /** Anonymous ids that were seen with a user. */
  readonly links: readonly { readonly anonymousId: string; readonly userId: string }[];
  /** Two ids of one person, who is told under `userId` unless a later alias says otherwise. */
  readonly union: { readonly previousId: string; readonly userId: string } | undefined;
  /** Names with JSON. */
  readonly traits: readonly (readonly [name: string, json: string])[];
  /** How many ids were of no person. */
  readonly refusedIds: number;
}

export interface Holder {
  readonly kind: 'user' | 'anonymous';
  readonly id: string;
}

const COUNTED_BY_NOTHING: Counts = { counted: [], undecided: [] };

export function effectsOf(caught: CaughtEvent, source: string, countedOf: CountedOf, budget: Budget): Effects {
  const at = timeOf(caught);
  const event = 'type' in caught ? caught : undefined;
  const [userId, anonymousId] = [personal(caught.userId), personal(caught.anonymousId)];
  const previousId = event?.type === 'alias' ? personal(event.previousId) : undefined;
  const pair = userId === undefined || anonymousId === undefined ? [] : [{ anonymousId, userId }];
  const union = userId === undefined || previousId === undefined ? undefined : { previousId, userId };
  return withoutLongIds({
    at,
    hour: hourOf(at),
    messageId: caught.messageId,
    holder: holderOf(userId, anonymousId),
    links: union === undefined ? pair : [...pair, { anonymousId: union.previousId, userId: union.userId }],
    union: union?.previousId === union?.userId ? undefined : union,
    traits: event?.type === 'identify' ? traitsOf(event) : [],
    ...(event === undefined ? COUNTED_BY_NOTHING : countedOf(event, source, budget)),
    refusedIds: [caught.userId, caught.anonymousId, event?.previousId].filter(isRefused).length,
  });
}

/** An index of a database takes no longer ones, nor does the address of a page; the longest id of a person is far shorter. */
const ID_BYTES = 1_000;

function isLong(id: string): boolean {
  return takesMoreThan(ID_BYTES, id);
}

function withoutLongIds(effects: Effects): Effects {
  const { holder, links, union } = effects;
  const keptLinks = links.filter(({ anonymousId, userId }) => !isLong(anonymousId) && !isLong(userId));
  const keptUnion = union !== undefined && [union.previousId, union.userId].some(isLong) ? undefined : union;
  const keptHolder = holder !== undefined && isLong(holder.id) ? undefined : holder;
  const refused = links.length - keptLinks.length + (keptUnion === union ? 0 : 1) + (keptHolder === holder ? 0 : 1);
  const kept = { links: keptLinks, union: keptUnion, holder: keptHolder };
  return { ...effects, ...kept, refusedIds: effects.refusedIds + refused };
}

function holderOf(userId: string | undefined, anonymousId: string | undefined): Holder | undefined {
  if (userId !== undefined) return { kind: 'user', id: userId };
  return anonymousId === undefined ? undefined : { kind: 'anonymous', id: anonymousId };
}

/** What senders write where they know nobody: one profile of all of them would be nobody's. */
const OF_NO_PERSON: ReadonlySet<string> = new Set(['', '0', '-1', 'null', 'undefined', 'anonymous']);

const LONGEST_OF_NO_PERSON = Math.max(...[...OF_NO_PERSON].map(({ length }) => length));

/** Asked several times of each event: most ids are too long to be looked up. */
function isRefused(id: string | undefined): boolean {
  const trimmed = id?.trim();
  return trimmed !== undefined && trimmed.length <= LONGEST_OF_NO_PERSON && OF_NO_PERSON.has(trimmed.toLowerCase());
}

function personal(id: string | undefined): string | undefined {
  return isRefused(id) ? undefined : id;
}

const NAME_CHARACTERS = 200;
const TRAIT_BYTES = 4_096;

/** What is larger is not kept. */
function traitsOf({ traits }: Pick<Event, 'traits'>): Effects['traits'] {
  if (!isObject(traits)) return [];
  return Object.entries(traits)
    .filter(([name]) => name.length <= NAME_CHARACTERS)
    .map(([name, value]) => [name, JSON.stringify(value)] as const)
    .filter(([, json]) => !takesMoreThan(TRAIT_BYTES, json));
}
