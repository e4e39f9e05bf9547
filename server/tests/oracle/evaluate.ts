import type {
  Comparison,
  CountedEvents,
  Definition,
  EventsCondition,
  TraitDefinition,
  Window,
} from '../../model/definition.ts';
import type { Event } from '../../model/message.ts';
import { pathOf } from './fql.ts';
import { momentOf } from './moments.ts';
import { byCodePoint, type Dated, isLater, type Person } from './people.ts';
import { isShort } from './stored.ts';

/** Events of an hour before this one that were received until a moment. */
export interface Lost {
  readonly before: number;
  readonly until: number;
}

/** What a definition may refer to, and since when what it counts is counted. */
export interface Known {
  readonly audience: (name: string) => Definition;
  readonly computedTrait: (name: string) => TraitDefinition;
  /** Milliseconds: events received before are not counted. */
  readonly since: (aggregate: string, events: CountedEvents & { readonly of?: string }) => number;
  /** What of it is no longer kept. */
  readonly lost?: (aggregate: string, events: CountedEvents & { readonly of?: string }) => Lost | undefined;
  readonly matches: (where: string, event: Event) => boolean;
  /** A name as the engine keeps it. */
  readonly stored: (name: string) => string;
}

/** Whether a person is a member at the end of an hour, by every event of theirs. */
export function isMember(definition: Definition, person: Person, hour: number, known: Known): boolean {
  if ('all' in definition) return definition.all.every((one) => isMember(one, person, hour, known));
  if ('any' in definition) return definition.any.some((one) => isMember(one, person, hour, known));
  if ('not' in definition) return !isMember(definition.not, person, hour, known);
  if ('trait' in definition) return isAsAsked(traitOf(person, known.stored(definition.trait)), definition.is);
  if ('member_of' in definition) return isMember(known.audience(definition.member_of), person, hour, known);
  if ('computed_trait' in definition) {
    return isAsAsked(valueOf(known.computedTrait(definition.computed_trait), person, hour, known), definition.is);
  }
  const { value, is } = valueOfEvents(definition.events, person, hour, known);
  return isAsAsked(value, is);
}

/** What a condition on events compares, and with what. */
export function valueOfEvents(
  events: EventsCondition,
  person: Person,
  hour: number,
  known: Known,
): { readonly aggregate: string; readonly value: unknown; readonly is: Comparison } {
  const { where: _where, window: _window, sources: _sources, ...measures } = events;
  const [[aggregate, asked] = ['count', { gte: 1 }]] = Object.entries<Comparison & { readonly of?: string }>(measures);
  const { of, ...is } = { of: undefined, ...asked };
  const value = made(aggregate, counted(aggregate, { ...events, of }, person, hour, known), of);
  const isZero = value === undefined && ['count', 'days', 'sum', 'distinct'].includes(aggregate);
  return { aggregate, value: isZero ? 0 : value, is };
}

const KINDS = new Map([
  ['counter', 'count'],
  ['sum', 'sum'],
  ['average', 'avg'],
  ['minimum', 'min'],
  ['maximum', 'max'],
  ['first', 'first'],
  ['last', 'last'],
  ['most_frequent', 'most_frequent'],
  ['unique_list', 'list'],
  ['unique_list_count', 'distinct'],
]);

/** What a definition itself counts. */
export function conditionsIn(
  definition: Definition | TraitDefinition,
): { readonly aggregate: string; readonly events: CountedEvents & { readonly of?: string } }[] {
  if ('all' in definition) return definition.all.flatMap(conditionsIn);
  if ('any' in definition) return definition.any.flatMap(conditionsIn);
  if ('not' in definition) return conditionsIn(definition.not);
  if ('trait' in definition || 'member_of' in definition || 'computed_trait' in definition) return [];
  if ('events' in definition) {
    const { where, window, sources, ...measures } = definition.events;
    const [[aggregate, asked] = ['count', {}]] = Object.entries<object>(measures);
    const [of] = Object.entries<unknown>({ ...asked }).flatMap(([key, path]) => (key === 'of' ? [String(path)] : []));
    const events = {
      where,
      ...(window === undefined ? {} : { window }),
      ...(sources === undefined ? {} : { sources }),
      ...(of === undefined ? {} : { of }),
    };
    return [{ aggregate, events }];
  }
  const kinds = Object.entries<CountedEvents & { readonly of?: string }>(definition);
  return kinds.map(([kind, events]) => ({ aggregate: KINDS.get(kind) ?? kind, events }));
}

/** The value of a computed trait; undefined where there is none. */
export function valueOf(definition: TraitDefinition, person: Person, hour: number, known: Known): unknown {
  const { aggregate, events } = traitKind(definition);
  return made(aggregate, counted(aggregate, events, person, hour, known), events.of);
}

export function traitKind(definition: TraitDefinition): {
  readonly aggregate: string;
  readonly events: CountedEvents & { readonly of?: string };
} {
  const [[kind, events] = []] = Object.entries<CountedEvents & { readonly of?: string }>(definition);
  if (kind === undefined || events === undefined) throw new Error('a definition of nothing');
  return { aggregate: KINDS.get(kind) ?? kind, events };
}

/** What was said last; of two values of one moment the greater, as JSON. */
export function traitOf({ events }: Person, name: string): unknown {
  let last: Dated | undefined;
  for (const logged of events) {
    if (logged.event.type !== 'identify' || !Object.keys(logged.event.traits ?? {}).includes(name)) continue;
    if (last === undefined || isLaterTrait(name, logged, last)) last = logged;
  }
  return last?.event.traits?.[name];
}

function isLaterTrait(name: string, one: Dated, other: Dated): boolean {
  const [value, otherValue] = [one, other].map(({ event }) => JSON.stringify(event.traits?.[name]));
  return one.at > other.at || (one.at === other.at && byCodePoint(value ?? '', otherValue ?? '') > 0);
}

function counted(
  aggregate: string,
  events: CountedEvents & { readonly of?: string | undefined },
  person: Person,
  hour: number,
  known: Known,
): readonly Dated[] {
  const { of, ...rest } = events;
  const asked = of === undefined ? rest : { ...rest, of };
  const [since, lost] = [known.since(aggregate, asked), known.lost?.(aggregate, asked)];
  return person.events.filter(
    (logged) =>
      isWithin(logged.hour, events.window, hour) &&
      (events.sources ?? [logged.source]).includes(logged.source) &&
      logged.received >= since &&
      !isLost(logged, lost) &&
      known.matches(events.where, logged.event),
  );
}

function isLost({ hour, received }: Dated, { before, until }: Lost = { before: -Infinity, until: 0 }): boolean {
  return hour < before && received <= until;
}

function isWithin(hour: number, window: Window | undefined, now: number): boolean {
  const ago = now - hour;
  if (ago < 0) return false;
  if (window === undefined) return true;
  if ('within' in window) return ago < hours(window.within);
  if ('between' in window) return ago >= hours(window.between[0]) && ago < hours(window.between[1]);
  return hour >= (momentOf(window.since) ?? Number.NaN) / 3_600_000;
}

function hours(duration: string): number {
  return duration.endsWith('d') ? 24 * Number.parseInt(duration, 10) : Number.parseInt(duration, 10);
}

function made(aggregate: string, events: readonly Dated[], of = ''): unknown {
  if (aggregate === 'count') return events.length || undefined;
  if (aggregate === 'days') return new Set(events.map((one) => Math.floor(one.hour / 24))).size || undefined;
  const values = events
    .map((logged) => ({ logged, value: pathOf(logged.event, of) }))
    .filter(({ value }) => ['string', 'number', 'boolean'].includes(typeof value) && isShort(value));
  if (aggregate === 'first' || aggregate === 'last') return end(aggregate, values);
  // What is beyond is no amount.
  const numbers = values.flatMap(({ value }) => (typeof value === 'number' && Math.abs(value) <= 1e100 ? [value] : []));
  const total = numbers.reduce((sum, one) => sum + one, 0);
  if (['sum', 'avg', 'min', 'max'].includes(aggregate) && numbers.length === 0) return undefined;
  if (aggregate === 'sum') return rounded(total);
  if (aggregate === 'avg') return rounded(total / numbers.length);
  if (aggregate === 'min') return Math.min(...numbers);
  if (aggregate === 'max') return Math.max(...numbers);
  return ofDifferent(
    aggregate,
    values.map(({ value }) => JSON.stringify(value)),
  );
}

function end(
  aggregate: 'first' | 'last',
  values: readonly { readonly logged: Dated; readonly value: unknown }[],
): unknown {
  const sorted = values.toSorted((one, other) =>
    isLater(one.logged, other.logged) ? 1 : isLater(other.logged, one.logged) ? -1 : 0,
  );
  return (aggregate === 'first' ? sorted[0] : sorted.at(-1))?.value;
}

function ofDifferent(aggregate: string, texts: readonly string[]): unknown {
  const different = [...new Set(texts)].toSorted(byCodePoint);
  if (different.length === 0) return undefined;
  if (aggregate === 'distinct') return different.length;
  if (aggregate === 'list') return JSON.parse(listed(different));
  const times = (text: string): number => texts.filter((one) => one === text).length;
  const most = Math.max(...different.map(times));
  return JSON.parse(different.find((text) => times(text) === most) ?? 'null');
}

/** As many as fit 8 KB. */
function listed(texts: readonly string[]): string {
  const list = `[${texts.join(',')}]`;
  return Buffer.from(list).length <= 8192 ? list : listed(texts.slice(0, -1));
}

/** To six decimals, and to 15 digits at most: fewer decimals of what is larger. */
function rounded(value: number): number {
  const [, decimals] =
    [
      [1e9, 6],
      [1e12, 3],
      [1e15, 0],
    ].find(([below = 0]) => Math.abs(value) < below) ?? [];
  return decimals === undefined ? value : Math.round(value * 10 ** decimals) / 10 ** decimals;
}

export function isAsAsked(value: unknown, is: Comparison): boolean {
  if (value === undefined || value === null) return false;
  const [[operator, other] = ['', undefined]] = Object.entries<unknown>(is);
  const isSameKind = typeof value === typeof other;
  const isNumber = typeof value === 'number' && typeof other === 'number';
  switch (operator) {
    case 'eq':
      return value === other;
    case 'neq':
      return isSameKind && value !== other;
    case 'gt':
      return isNumber && value > other;
    case 'gte':
      return isNumber && value >= other;
    case 'lt':
      return isNumber && value < other;
    case 'lte':
      return isNumber && value <= other;
    case 'in':
      return Array.isArray(other) && other.some((one) => one === value);
    case 'contains':
      return Array.isArray(value)
        ? value.some((one) => one === other)
        : isSameKind && typeof value === 'string' && whole(value).indexOf(whole(other)) >= 0;
    case 'starts_with':
      return typeof value === 'string' && whole(value).slice(0, whole(other).length) === whole(other);
    case 'exists':
      return true;
    default:
      return operator === 'before' ? isSooner(value, other) : isSooner(other, value);
  }
}

/** Half of a character is none. */
function whole(text: unknown): string {
  return String(text).toWellFormed();
}

function isSooner(one: unknown, other: unknown): boolean {
  const [sooner, later] = [one, other].map((text) => (typeof text === 'string' ? momentOf(text) : undefined));
  return sooner !== undefined && later !== undefined && sooner < later;
}
