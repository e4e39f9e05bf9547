import { isObject } from './json-values.ts';
import { EVENT_DEPTH } from './limits.ts';
import { isTooDeep } from './nesting.ts';

const IDS: ReadonlySet<string> = new Set(['userId', 'anonymousId', 'groupId', 'previousId', 'messageId']);

/** A batch and its list of calls stand around an event. */
const MOST_LEVELS = EVENT_DEPTH + 2;

/**
 * Makes text of the ids that are whole numbers beyond 2^53: as numbers they are rounded when parsed, and two users would
 * become one. `body` is what `text` was parsed to; only when it holds such an id is the text read a second time.
 */
export function withExactIds(body: unknown, text: string): unknown {
  const calls = callsIn(body);
  if (!calls.some(hasRoundedId)) return body;
  // Reading it a second time goes down as deep as the text does.
  if (isTooDeep(body, MOST_LEVELS)) throw new SyntaxError(`it is nested deeper than ${MOST_LEVELS} levels`);
  const exact = callsIn(JSON.parse(text, keepDigits));
  for (const [index, call] of calls.entries()) copyIds(call, exact[index]);
  return body;
}

/** A batch holds calls; any other body is one. */
function callsIn(body: unknown): readonly unknown[] {
  if (!isObject(body)) return [];
  return Array.isArray(body['batch']) ? body['batch'] : [body];
}

function hasRoundedId(call: unknown): boolean {
  if (!isObject(call)) return false;
  for (const id of IDS) if (isRounded(call[id])) return true;
  return false;
}

function isRounded(value: unknown): boolean {
  return typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value);
}

/** A reviver: every id of the text that is not exact as a number stays as it is written. */
function keepDigits(key: string, value: unknown, { source = '' }: { source?: string } = {}): unknown {
  return IDS.has(key) && isRounded(value) && /^-?\d+$/.test(source) ? source : value;
}

function copyIds(target: unknown, exact: unknown): void {
  if (!isObject(target) || !isObject(exact)) return;
  for (const id of IDS) if (isRounded(target[id])) target[id] = exact[id];
}
