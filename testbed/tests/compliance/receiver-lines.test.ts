import { stripVTControlCharacters } from 'node:util';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import pc from 'picocolors';
import { bodyText, sizeText, subjectText, typeText } from '../../command-line/event-text.ts';
import { humanReport } from '../../command-line/human-report.ts';
import { fitted, printable, truncated, widthOf } from '../../command-line/text-width.ts';
import { durationText } from '../../command-line/turn-text.ts';
import { createReceiver } from '../../index.ts';
import type { Received, ReceiverEvent, WebhookEvent } from '../../index.ts';
import { schemeOf } from '../../schemes/schemes.ts';
import { event, post } from '../support/posting.ts';

/** Lines of a report at a width, for real requests with these bodies. */
async function linesAt(width: number, bodies: readonly (string | Uint8Array)[], colors = pc.createColors(false)) {
  await using receiver = await createReceiver({ secret: 's3cret', script: '503x2,200+delay:1ms,429,200' });
  const report = humanReport({ colors, width: () => width });
  const lines = [...report.start({ url: receiver.url, endpoints: receiver.endpoints, seed: 3 })];
  receiver.onEvent((happened: ReceiverEvent) => lines.push(...report.event(happened)));
  for (const body of bodies) await post(receiver.url, body);
  return lines;
}

const BODIES = [
  event('track', { event: 'Order Completed', properties: { text: 'x'.repeat(500) } }),
  event('identify', { userId: '日本語のユーザー名がここにとても長く続きます' }),
  event('track', { event: '🎉🎉🎉 party', userId: 'é'.repeat(80) }),
  Uint8Array.from({ length: 300 }, (_, at) => at % 256),
  '',
];

test.each([80, 99, 100, 120, 200])('no line is wider than a terminal of %i columns', async (width) => {
  const lines = await linesAt(width, BODIES);
  expect(lines.length).toBeGreaterThan(15);
  expect(lines.filter((line) => widthOf(line) > width)).toEqual([]);
});

test.each([80, 100, 140])('what comes beside requests is no wider than %i columns', async (width) => {
  await using gone = await createReceiver();
  await gone.close();
  const endpoints = {
    '/hooks/with/a/rather/long/path/of/its/own': { script: '503+body:"a long body", 200' },
    '/b': {},
  };
  await using receiver = await createReceiver({ secret: 's', endpoints, forward: gone.url });
  const report = humanReport({ colors: pc.createColors(false), width: () => width });
  const files = {
    ca: '/tmp/some/where/ca.pem',
    control: 'http://127.0.0.1:9001',
    record: 'r'.repeat(150),
    har: 'x.har',
  };
  const lines = [...report.start({ url: receiver.url, endpoints: receiver.endpoints, seed: 3, ...files })];
  receiver.onEvent((happened: ReceiverEvent) => lines.push(...report.event(happened)));
  for (const path of Object.keys(endpoints)) await post(receiver.url + path, event('track', { event: 'x'.repeat(90) }));
  receiver.setScript('503+body:"a body that is so long that it takes a line of its own, and then some more of it",200');
  receiver.reset();
  expect(lines.filter((line) => line.includes('the application did not answer: ECONNREFUSED (502 after'))).toHaveLength(
    1,
  );
  expect(lines.some((line) => line.includes('is now 503'))).toBe(true);
  expect(lines.filter((line) => widthOf(line) > width)).toEqual([]);
});

test.each([80, 120])('cells stand in columns at %i, whatever letters they hold', async (width) => {
  const rows = (await linesAt(width, BODIES)).filter((line) => /✗ MISSING/.test(line));
  expect(rows).toHaveLength(BODIES.length);
  const columns = rows.map((line) => widthOf(line.slice(0, line.indexOf('✗'))));
  expect(new Set(columns).size).toBe(1);
});

test('colors change no column', async () => {
  const [plain, colored] = [await linesAt(120, BODIES), await linesAt(120, BODIES, pc.createColors(true))];
  const stripped = colored.map(stripVTControlCharacters);
  expect(colored.join('')).toContain('\u001b[');
  expect(stripped.map(widthOf)).toEqual(plain.map(widthOf));
});

test('no escape sequence of a sender reaches the terminal', () => {
  const anyText = fc.array(fc.integer({ min: 0, max: 0xffff })).map((codes) => String.fromCharCode(...codes));
  fc.assert(
    fc.property(anyText, (text) => {
      expect(printable(`${text}\u001b[31m\u202e\n`)).not.toMatch(/[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069]/u);
    }),
  );
});

test.each([
  ['abc', 3],
  ['é', 1],
  ['e\u0301', 1],
  ['日本', 4],
  ['🎉', 2],
  ['👩‍👩‍👧', 2],
  ['한글', 4],
])('%s takes %i columns', (text, columns) => {
  expect(widthOf(text)).toBe(columns);
});

test('text is fitted to exactly its columns', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }).map(printable), fc.integer({ min: 2, max: 60 }), (text, width) => {
      expect(widthOf(fitted(text, width))).toBe(width);
      expect(widthOf(truncated(text, width))).toBeLessThanOrEqual(width);
    }),
  );
});

function received(fields: WebhookEvent | undefined, method = 'POST'): Received {
  return {
    number: 1,
    at: 0,
    method,
    path: '/hook',
    headers: [],
    body: new Uint8Array(),
    event: fields,
    attempt: 1,
    scheme: schemeOf(),
    signature: { verdict: 'missing', header: 'X-Signature or webhook-signature' },
    script: [],
    turn: { step: 1, time: 1, repeats: false, delayMs: 0, behavior: { kind: 'malformed', how: 'chunk' } },
  };
}

test.each([
  [{ type: 'track', event: 'Signed Up', userId: 'u' }, 'Signed Up · u'],
  [{ type: 'identify', anonymousId: 'a' }, 'a'],
  [
    { type: 'identify', userId: 'u', traits: { big: true }, context: { personas: { computation_key: 'big' } } },
    'big: true · u',
  ],
  [{ type: 'page', properties: { path: '/pricing' }, userId: 'u' }, '/pricing · u'],
  [{ type: 'screen', name: 'Home', userId: 'u' }, 'Home · u'],
  [{ type: 'group', groupId: 'g', userId: 'u' }, 'g · u'],
  [{ type: 'alias', 'Previous ID': 'old', 'User ID': 'new' }, 'old → new'],
  [{ type: 'delete', userId: 'u' }, 'u'],
  [{ type: 'track', event: 'a\u001b[31m\nb' }, 'a\\x1b[31m b'],
  [undefined, '/hook'],
])('%j is shown as what and who it is about', (fields, shown) => {
  expect(subjectText(received(fields))).toBe(shown);
});

test('a request that is no event is shown by its method', () => {
  expect(typeText(received(undefined, 'GET'))).toBe('GET');
  expect(typeText(received(undefined))).toBe('no event');
});

test('sizes, durations and bodies read well', () => {
  expect([0, 1023, 1024, 32_000, 5_000_000].map((length) => sizeText(new Uint8Array(length)))).toEqual([
    '0 B',
    '1023 B',
    '1.0 KB',
    '31.3 KB',
    '4.8 MB',
  ]);
  expect([0, 999, 5013, 6000, 59_999, 90_000].map(durationText)).toEqual([
    '0 ms',
    '999 ms',
    '5 s',
    '6 s',
    '60 s',
    '1 m 30 s',
  ]);
  expect(bodyText(new Uint8Array())).toBe('(no body)');
  expect(bodyText(Uint8Array.of(0xff, 0))).toBe('(not UTF-8) ff 00');
  expect(bodyText(Buffer.from('{\n  "a": 1\n}'))).toBe('{ "a": 1 }');
});
