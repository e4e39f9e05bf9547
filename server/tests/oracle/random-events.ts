import type { CallType, Event, JsonObject } from '../../model/message.ts';
import type { Random } from '../../ports/random.ts';
import type { Logged } from './people.ts';
import { pick, SOURCES } from './random-definitions.ts';

const HOUR = 3_600_000;
const USERS = ['ada', 'bob', 'cyd', '\uFF5A', '\u{1F600}'];
/** One of them is a user id as well, and one of no person. */
const VISITORS = ['phone', 'tablet', 'bob', 'null'];

/** The next event of a world, received now. Some are late, some of the future, and some come at the end of an hour. */
export function randomEvent(random: Random, now: number, number: number): Logged {
  const receivedAt = random() < 0.1 ? Math.ceil(now / HOUR) * HOUR : now;
  const type: CallType = pick(random, ['track', 'track', 'track', 'track', 'page', 'identify', 'identify', 'alias']);
  const times = { timestamp: timestampOf(random, receivedAt), receivedAt: new Date(receivedAt).toISOString() };
  const rest = type === 'alias' ? aliasOf(random) : { ...idsOf(random), ...contentOf(random, type) };
  const event: Event = { type, messageId: `m${(number * 7919) % 1000}`, context: {}, ...times, ...rest };
  return { source: pick(random, SOURCES), event };
}

/** More of the same person, minutes away: several events of one hour. */
export function randomFollower(
  random: Random,
  { source, event: { userId, anonymousId, timestamp } }: Logged,
  next: Logged,
): Logged {
  const at = Date.parse(timestamp) + Math.floor((random() - 0.5) * 0.2 * HOUR);
  const ids = { ...(userId === undefined ? {} : { userId }), ...(anonymousId === undefined ? {} : { anonymousId }) };
  const { messageId, receivedAt, context } = next.event;
  const times = { timestamp: new Date(at).toISOString(), receivedAt };
  return { source, event: { type: 'track', messageId, context, ...times, ...ids, ...contentOf(random, 'track') } };
}

function timestampOf(random: Random, receivedAt: number): string {
  const roll = random();
  // As long ago as windows are, so that many stand at their ends.
  if (roll < 0.25) return new Date(receivedAt - pick(random, [0, 1, 3, 5, 12, 24, 48, 72, 168]) * HOUR).toISOString();
  // Some moments, and some hours, are the same for many events.
  const evening = Math.floor(receivedAt / (6 * HOUR)) * 6 * HOUR;
  if (roll < 0.33) return new Date(evening).toISOString();
  if (roll < 0.5) return new Date(evening - Math.floor(random() * HOUR)).toISOString();
  return new Date(roll < 0.55 ? receivedAt + 50 * HOUR : receivedAt - Math.floor(random() * HOUR)).toISOString();
}

function aliasOf(random: Random): Partial<Event> {
  return { previousId: pick(random, [...USERS, ...VISITORS]), userId: pick(random, USERS) };
}

function idsOf(random: Random): Partial<Event> {
  const roll = random();
  if (roll < 0.35) return { anonymousId: pick(random, VISITORS) };
  if (roll < 0.6) return { userId: pick(random, USERS) };
  return { userId: pick(random, USERS), anonymousId: pick(random, VISITORS) };
}

function contentOf(random: Random, type: CallType): Partial<Event> {
  if (type === 'identify') return { traits: traitsOf(random) };
  const properties: JsonObject = {};
  if (random() < 0.7) properties['total'] = pick(random, [0, 3, 7, 7.5, 12.25, 20, -4, 'many']);
  if (random() < 0.7)
    properties['item'] = pick(random, ['pen', 'ink', 'book', 'a"b', '\u{1F600}', '\uFF5A', 3, true, ['pen']]);
  return type === 'track'
    ? { event: pick(random, ['Bought', 'Bought', 'Viewed', 'Left']), properties }
    : { properties };
}

function traitsOf(random: Random): JsonObject {
  const traits: JsonObject = {};
  if (random() < 0.7) traits['plan'] = pick(random, ['pro', 'free', 'prime', null]);
  if (random() < 0.5) traits['score'] = pick(random, [1, 3, 7.5, -2, '3']);
  if (random() < 0.3) traits['tags'] = pick<unknown>(random, [['p', 3], ['pen'], [], 'pen', { a: 1 }]);
  if (random() < 0.3) traits['since'] = pick(random, ['2026-01-20', '2026-02-03T10:00:00+02:00', 'soon', true]);
  return traits;
}
