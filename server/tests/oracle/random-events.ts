import type { CallType, Event, JsonObject } from '../../model/message.ts';
import type { Random } from '../../ports/random.ts';
import type { Palette } from './edges.ts';
import { momentOf } from './moments.ts';
import type { Logged } from './people.ts';
import { pick, SOURCES } from './random-definitions.ts';

const HOUR = 3_600_000;

/** The next event of a world, received now. Some are late, some of the future, and some come at the end of an hour. */
export function randomEvent(random: Random, palette: Palette, now: number, number: number): Logged {
  const receivedAt = random() < 0.1 ? Math.ceil(now / HOUR) * HOUR : now;
  const type: CallType = pick(random, ['track', 'track', 'track', 'track', 'page', 'identify', 'identify', 'alias']);
  const times = { timestamp: timestampOf(random, palette, receivedAt), receivedAt: new Date(receivedAt).toISOString() };
  const rest =
    type === 'alias' ? aliasOf(random, palette) : { ...idsOf(random, palette), ...contentOf(random, palette, type) };
  const event: Event = { type, messageId: `m${(number * 7919) % 1000}`, context: {}, ...times, ...rest };
  return { source: pick(random, SOURCES), event };
}

/** More of the same person, minutes away: several events of one hour. */
export function randomFollower(
  random: Random,
  palette: Palette,
  { source, event: { userId, anonymousId, timestamp } }: Logged,
  next: Logged,
): Logged {
  const at = (momentOf(timestamp) ?? Date.parse(next.event.receivedAt)) + Math.floor((random() - 0.5) * 0.2 * HOUR);
  const ids = { ...(userId === undefined ? {} : { userId }), ...(anonymousId === undefined ? {} : { anonymousId }) };
  const { messageId, receivedAt, context } = next.event;
  const times = { timestamp: textOf(at), receivedAt };
  return {
    source,
    event: { type: 'track', messageId, context, ...times, ...ids, ...contentOf(random, palette, 'track') },
  };
}

/** Of years of four digits, as no others reach an engine. */
function textOf(at: number): string {
  return new Date(Math.min(Math.max(at, -62_167_219_200_000), 253_402_300_799_999)).toISOString();
}

function timestampOf(random: Random, { timestamps, isAtEdges }: Palette, receivedAt: number): string {
  if (timestamps.length > 0 && random() < 0.15) return pick(random, timestamps);
  // On both sides of the end of an hour, where windows begin and end.
  if (isAtEdges && random() < 0.3) {
    const hour = Math.ceil(receivedAt / HOUR) - pick(random, [0, 1, 2, 3, 5, 12, 24, 48, 72, 168, 720, 2160]);
    return new Date(hour * HOUR + pick(random, [-1, 0, 0, 1])).toISOString();
  }
  const roll = random();
  // As long ago as windows are, so that many stand at their ends.
  if (roll < 0.25) return new Date(receivedAt - pick(random, [0, 1, 3, 5, 12, 24, 48, 72, 168]) * HOUR).toISOString();
  // Some moments, and some hours, are the same for many events.
  const evening = Math.floor(receivedAt / (6 * HOUR)) * 6 * HOUR;
  if (roll < 0.33) return new Date(evening).toISOString();
  if (roll < 0.5) return new Date(evening - Math.floor(random() * HOUR)).toISOString();
  return new Date(roll < 0.55 ? receivedAt + 50 * HOUR : receivedAt - Math.floor(random() * HOUR)).toISOString();
}

function aliasOf(random: Random, { users, visitors }: Palette): Partial<Event> {
  return { previousId: pick(random, [...users, ...visitors]), userId: pick(random, users) };
}

function idsOf(random: Random, { users, visitors }: Palette): Partial<Event> {
  const roll = random();
  if (roll < 0.35) return { anonymousId: pick(random, visitors) };
  if (roll < 0.6) return { userId: pick(random, users) };
  return { userId: pick(random, users), anonymousId: pick(random, visitors) };
}

function contentOf(random: Random, palette: Palette, type: CallType): Partial<Event> {
  if (type === 'identify') return { traits: traitsOf(random, palette) };
  const properties: [string, unknown][] = [];
  const { totals, items, codes, events, isAtEdges } = palette;
  if (random() < 0.7) properties.push(['total', pick(random, totals)]);
  if (random() < 0.7) properties.push(['item', pick(random, items)]);
  if (codes.length > 0 && random() < 0.7) properties.push(['code', pick(random, codes)]);
  if (isAtEdges && random() < 0.2) properties.push([pick(random, ['__proto__', 'constructor']), pick(random, items)]);
  const content = { properties: Object.fromEntries(properties) };
  return type === 'track' ? { event: pick(random, events), ...content } : content;
}

function traitsOf(random: Random, { traits }: Palette): JsonObject {
  const said = Object.entries(traits).filter(() => random() < 0.4);
  return Object.fromEntries(said.map(([name, values]) => [name, pick(random, values)]));
}
