import type { Random } from '../../server/ports/random.ts';
import { pick, whole } from './pick.ts';

const TOKENS = [
  String.raw`null true 0 -0 1e999 -1e-999 1180591620717411303424 0.1 NaN Infinity -Infinity "" "u" "\u0000" "\ud800" "é"`,
  String.raw`"NaN" "\"" [] {} [[]] {"__proto__":{"a":1}} "2026-11-20T12:00:00.000Z" "9999-99-99" "2026" 20261120`,
].flatMap((line) => line.split(' '));
/** What JSON does not know; rarely, since one of them makes the whole text wrong. */
const NO_JSON = "undefined 'u' 01 +1 .5 /**/1 1,".split(' ');
const KEYS = [
  'type type userId userId anonymousId groupId previousId event event name category properties traits context',
  'integrations timestamp sentAt messageId writeKey options sender receivedAt iso',
  String.raw`__proto__ constructor toString hasOwnProperty a.b \u0000 0 length then toJSON`,
].flatMap((line) => line.split(' '));
const CALLS = ['"track"', '"identify"', '"page"', '"screen"', '"group"', '"alias"', '"delete"', '"__proto__"'] as const;

/** The text of a batch whose calls are near to what they should be. */
export function anyBatch(random: Random): string {
  const calls = Array.from({ length: whole(random, 0, random() < 0.02 ? 2_600 : 6) }, () => anyCall(random));
  const rest = Array.from({ length: whole(random, 0, 3) }, () => `,"${pick(random, KEYS)}":${anyValue(random, 3)}`);
  return `{"batch":[${calls.join(',')}]${rest.join('')}}`;
}

function anyCall(random: Random): string {
  const fields = Array.from({ length: whole(random, 0, 5) }, () => `,"${pick(random, KEYS)}":${anyValue(random, 3)}`);
  return `{"type":${pick(random, CALLS)},"userId":"u","event":"E"${fields.join('')}}`;
}

function anyValue(random: Random, depth: number): string {
  const kind = random();
  if (kind < 0.005) return pick(random, NO_JSON);
  if (depth === 0 || kind < 0.7) return pick(random, TOKENS);
  const values = Array.from({ length: whole(random, 0, 3) }, () => anyValue(random, depth - 1));
  return kind < 0.85
    ? `[${values.join(',')}]`
    : `{${values.map((value) => `"${pick(random, KEYS)}":${value}`).join(',')}}`;
}

/** Texts that strain a reader: deep, long, or with many keys. */
export function anyText(random: Random): string {
  const size = whole(random, 1, random() < 0.05 ? 60_000 : 500);
  return pick(random, [
    () => call('['.repeat(size) + ']'.repeat(size)),
    // Keys that are numbers keep the engine from its way of writing JSON that needs no stack.
    () => call(`{"0":${'['.repeat(size)}${']'.repeat(size)}}`),
    () => call('{"a":'.repeat(size) + '1' + '}'.repeat(size)),
    () => call('{"__proto__":'.repeat(size % 3_000) + '1' + '}'.repeat(size % 3_000)),
    () => call(`{"${'k'.repeat(size)}":1}`),
    () => call(`{${Array.from({ length: size }, (_, at) => `"k${at}":${at}`).join(',')}}`),
    () => call(`[${'NaN,'.repeat(size)}NaN]`),
    () => call(`"${'\\'.repeat(size)}"`),
    () => `{"batch":[${'{"type":"group","groupId":9007199254740993},'.repeat(Math.min(size, 3_000))}null]}`,
    () =>
      `{"batch":[{"type":"track","userId":${'9'.repeat(size)},"event":"E","context":${'['.repeat(size)}${']'.repeat(size)}}]}`,
    () => '['.repeat(size),
    () => pick(random, TOKENS),
  ])();
}

function call(properties: string): string {
  return `{"batch":[{"type":"track","userId":"u","event":"E","properties":${properties}}]}`;
}
