import type { Event } from '../../model/message.ts';
import { momentOf } from './moments.ts';

const HOUR = 3_600_000;

/** An accepted event with its source; its `timestamp` as the sender wrote it. */
export interface Logged {
  readonly source: string;
  readonly event: Event;
}

/** One person, with every event that is theirs by now. */
export interface Person {
  /** What they are told as. */
  readonly user: string;
  readonly userIds: readonly string[];
  readonly events: readonly Logged[];
}

/** The hour of an event: up to its end, and not its beginning. */
export function hourOfEvent({ event }: Logged): number {
  return Math.ceil(timeOfEvent(event) / HOUR) - 1;
}

/** What says no time, or one of the future, counts from its receipt. */
export function timeOfEvent({ timestamp, receivedAt }: Event): number {
  const received = new Date(receivedAt).getTime();
  const claimed = momentOf(timestamp) ?? received;
  return claimed > received ? received : claimed;
}

/** Lists come in the order of code points. */
export function byCodePoint(one: string, other: string): number {
  return Buffer.from(one, 'utf8').compare(Buffer.from(other, 'utf8'));
}

/** The later of two, by time and message id. */
export function isLater(one: Event, other: Event): boolean {
  const [a, b] = [timeOfEvent(one), timeOfEvent(other)];
  return a === b ? byCodePoint(one.messageId, other.messageId) > 0 : a > b;
}

/** Who there is by a log: everything is looked at again from the beginning. */
export function peopleOf(log: readonly Logged[]): readonly Person[] {
  const sightings = log.flatMap((logged) => sightingsIn(logged));
  const aliases = log
    .map(({ event }) => event)
    .filter(({ type, userId, previousId }) => type === 'alias' && isId(userId) && isId(previousId));
  const users = new Set(log.flatMap(({ event }) => (isId(event.userId) ? [event.userId] : [])));
  for (const { previousId } of aliases) if (previousId !== undefined) users.add(previousId);
  const groups = joined(users, aliases);
  return groups.map((userIds) => ({
    user: toldAs(userIds, aliases),
    userIds,
    events: log.filter((logged) => {
      const owner = isId(logged.event.userId) ? logged.event.userId : ownerOf(logged, sightings);
      return owner !== undefined && userIds.includes(owner);
    }),
  }));
}

function isId(id: string | undefined): id is string {
  return id !== undefined && !['0', '-1', 'null', 'undefined', 'anonymous', ''].includes(id.trim().toLowerCase());
}

interface Sighting {
  readonly anonymousId: string;
  readonly userId: string;
  readonly hour: number;
  readonly at: number;
}

function sightingsIn(logged: Logged): Sighting[] {
  const { type, userId, anonymousId, previousId } = logged.event;
  if (!isId(userId)) return [];
  const of = [anonymousId, type === 'alias' ? previousId : undefined].filter(isId);
  return of.map((id) => ({ anonymousId: id, userId, hour: hourOfEvent(logged), at: timeOfEvent(logged.event) }));
}

/** Whose an anonymous event is: of the last hour in which its id was seen with anybody, or else of the first. */
function ownerOf(logged: Logged, sightings: readonly Sighting[]): string | undefined {
  const { anonymousId } = logged.event;
  const own = sightings.filter((sighting) => sighting.anonymousId === anonymousId);
  const hour = hourOfEvent(logged);
  const until = own.map((one) => one.hour).filter((one) => one <= hour);
  const isBefore = until.length > 0;
  const decisive = isBefore ? Math.max(...until) : Math.min(...own.map((one) => one.hour));
  const first = new Map<string, number>();
  for (const { userId, at, hour: seen } of own) {
    if (seen === decisive) first.set(userId, Math.min(at, first.get(userId) ?? Infinity));
  }
  const sorted = [...first].toSorted(([a, one], [b, other]) => one - other || byCodePoint(a, b));
  return (isBefore ? sorted.at(-1) : sorted[0])?.[0];
}

/** Groups of ids that aliases join, grown until nothing changes. */
function joined(users: ReadonlySet<string>, aliases: readonly Event[]): string[][] {
  let groups = [...users].map((user) => [user]);
  for (const { userId = '', previousId = '' } of aliases) {
    const both = groups.filter((group) => group.includes(userId) || group.includes(previousId));
    groups = [...groups.filter((group) => !both.includes(group)), both.flat()];
  }
  return groups.map((group) => group.toSorted(byCodePoint));
}

function toldAs(userIds: readonly string[], aliases: readonly Event[]): string {
  let last: Event | undefined;
  for (const alias of aliases) {
    if (alias.userId === alias.previousId || !userIds.includes(alias.userId ?? '')) continue;
    if (last === undefined || isLater(alias, last)) last = alias;
  }
  return last?.userId ?? userIds[0] ?? '';
}
