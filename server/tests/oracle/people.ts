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
  readonly events: readonly Dated[];
}

/** Its times are read once: they are asked for with each definition and hour. */
export interface Dated extends Logged {
  readonly received: number;
  /** What says no time, or one of the future, counts from its receipt. */
  readonly at: number;
  /** Up to its end, and not its beginning. */
  readonly hour: number;
}

function dated(logged: Logged): Dated {
  const { timestamp, receivedAt } = logged.event;
  const received = new Date(receivedAt).getTime();
  const at = Math.min(momentOf(timestamp) ?? received, received);
  return { ...logged, received, at, hour: Math.ceil(at / HOUR) - 1 };
}

/** Lists come in the order of code points. */
export function byCodePoint(one: string, other: string): number {
  return Buffer.from(one, 'utf8').compare(Buffer.from(other, 'utf8'));
}

/** The later of two, by time and message id. */
export function isLater(one: Dated, other: Dated): boolean {
  return one.at === other.at ? byCodePoint(one.event.messageId, other.event.messageId) > 0 : one.at > other.at;
}

/** Who there is by a log: everything is looked at again from the beginning. */
export function peopleOf(written: readonly Logged[]): readonly Person[] {
  const log = written.map((logged) => dated(logged));
  const sightings = log.flatMap((logged) => sightingsIn(logged));
  const aliases = log.filter(
    ({ event: { type, userId, previousId } }) => type === 'alias' && isId(userId) && isId(previousId),
  );
  const users = new Set(log.flatMap(({ event }) => (isId(event.userId) ? [event.userId] : [])));
  for (const { event } of aliases) if (event.previousId !== undefined) users.add(event.previousId);
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

function sightingsIn({ event, hour, at }: Dated): Sighting[] {
  const { type, userId, anonymousId, previousId } = event;
  if (!isId(userId)) return [];
  const of = [anonymousId, type === 'alias' ? previousId : undefined].filter(isId);
  return of.map((id) => ({ anonymousId: id, userId, hour, at }));
}

/** Whose an anonymous event is: of the last hour in which its id was seen with anybody, or else of the first. */
function ownerOf({ event, hour }: Dated, sightings: readonly Sighting[]): string | undefined {
  const { anonymousId } = event;
  const own = sightings.filter((sighting) => sighting.anonymousId === anonymousId);
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
function joined(users: ReadonlySet<string>, aliases: readonly Dated[]): string[][] {
  let groups = [...users].map((user) => [user]);
  for (const { userId = '', previousId = '' } of aliases.map(({ event }) => event)) {
    const both = groups.filter((group) => group.includes(userId) || group.includes(previousId));
    groups = [...groups.filter((group) => !both.includes(group)), both.flat()];
  }
  return groups.map((group) => group.toSorted(byCodePoint));
}

function toldAs(userIds: readonly string[], aliases: readonly Dated[]): string {
  let last: Dated | undefined;
  for (const alias of aliases) {
    const { userId, previousId } = alias.event;
    if (userId === previousId || !userIds.includes(userId ?? '')) continue;
    if (last === undefined || isLater(alias, last)) last = alias;
  }
  return last?.event.userId ?? userIds[0] ?? '';
}
