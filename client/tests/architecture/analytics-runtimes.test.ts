import { spawnSync } from 'node:child_process';
import { createContext, runInContext } from 'node:vm';
import { beforeAll, describe, expect, test } from 'vitest';
import { bundle } from '../support/analytics-bundle.ts';
import { receivingServer } from '../support/analytics-receiving-server.ts';

let code = '';

beforeAll(async () => {
  code = await bundle('iife');
});

/** What browsers and edge runtimes have in common, and nothing of Node. Timers are numbers, as they are there. */
function webGlobals(): Record<string, unknown> {
  const { AbortController, Blob, btoa, CompressionStream, console, crypto, fetch, Response, TextEncoder, URL } =
    globalThis;
  const timers = new Map<number, NodeJS.Timeout>();
  const after = (run: () => void, ms: number): number => {
    timers.set(timers.size, setTimeout(run, ms));
    return timers.size - 1;
  };
  const web = { AbortController, Blob, btoa, CompressionStream, console, crypto, fetch, Response, TextEncoder, URL };
  return { ...web, setTimeout: after, clearTimeout: (id: number) => clearTimeout(timers.get(id)) };
}

const getRandomValues = (bytes: Uint8Array<ArrayBuffer>): Uint8Array => crypto.getRandomValues(bytes);

const program = (options: string, timeoutMs = 5_000): string => `
  const { Analytics } = waybill;
  const analytics = new Analytics('key', ${options});
  analytics.track('u', 'e', { text: 'Größe' });
  analytics.close({ timeoutMs: ${timeoutMs} });
`;

/** As it was before `canParse`. */
function urlWithoutStatics(text: string): URL {
  return new URL(text);
}

/** Takes away what came to browsers after 2021. */
const LATER = `
  for (const name of ['findLast', 'findLastIndex', 'toReversed', 'toSorted', 'toSpliced', 'with']) {
    delete Array.prototype[name];
  }
  for (const name of ['isWellFormed', 'toWellFormed']) delete String.prototype[name];
  delete Array.fromAsync; delete Object.groupBy; delete Map.groupBy;
  delete Promise.try; delete Promise.withResolvers; delete globalThis.Iterator;
`;

test.each([
  ['sends', 'accept', { delivered: 1, unsent: [] }],
  ['gives up', 'stall', { timedOut: true, unsent: [{ event: 'e' }] }],
] as const)('a browser of 2022 %s without what came later', async (_, reaction, report) => {
  await using server = await receivingServer(() => reaction);
  const context = createContext({ ...webGlobals(), URL: urlWithoutStatics });
  runInContext(LATER + code, context);
  const options = `{ host: '${server.url}', logger: { debug() {}, warn() {}, error() {} } }`;
  expect(await runInContext(program(options, reaction === 'accept' ? 5_000 : 50), context)).toMatchObject(report);
});

describe('a runtime without anything of Node', () => {
  test.each(['gzip: false', 'gzip: true'])('a message is delivered with %s', async (option) => {
    await using server = await receivingServer();
    const context = createContext(webGlobals());
    expect(runInContext('typeof process + typeof Buffer + typeof require', context)).toBe(
      'undefinedundefinedundefined',
    );
    runInContext(code, context);
    const report: unknown = await runInContext(program(`{ host: '${server.url}', ${option} }`), context);
    expect(report).toEqual({ timedOut: false, delivered: 1, unsent: [] });
    expect(server.accepted).toEqual([expect.objectContaining({ properties: { text: 'Größe' } })]);
  });

  test('ids are made where crypto has no randomUUID', () => {
    const context = createContext({ ...webGlobals(), crypto: { getRandomValues } });
    runInContext(code, context);
    const make = "new waybill.Analytics('key', { send: false }).track('u', 'e').messageId";
    expect(runInContext(make, context)).toMatch(
      /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    );
  });
});

test('a page that a test makes up has no TextEncoder, and its bytes are counted', () => {
  const context = createContext({ ...webGlobals(), TextEncoder: undefined });
  runInContext(code, context);
  const track = (text: string): unknown =>
    runInContext(
      `new waybill.Analytics('key', { send: false, logger: { warn() {} } }).track('u', 'e', { text: '${text}' })`,
      context,
    );
  expect([track('é'.repeat(10_000)), track('é'.repeat(20_000))]).toMatchObject([
    { ok: true },
    { reason: 'event_too_large' },
  ]);
});

test('code that is generated at run time is not used', async () => {
  const context = createContext(webGlobals(), { codeGeneration: { strings: false, wasm: false } });
  runInContext(code, context);
  expect(() => runInContext("new Function('return 1')", context)).toThrow('Code generation from strings disallowed');
  expect(runInContext("new waybill.Analytics('key', { send: false }).track('u', 'e').ok", context)).toBe(true);
});

test('a plain Node process runs the bundle as a module', async () => {
  const module = Buffer.from(await bundle('esm')).toString('base64');
  const input = `
    const { Analytics } = await import('data:text/javascript;base64,${module}');
    console.log(new Analytics('key', { send: false }).track('u', 'e').ok);
  `;
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-'], { input, encoding: 'utf8' });
  expect({ stdout, stderr }).toEqual({ stdout: 'true\n', stderr: '' });
});
