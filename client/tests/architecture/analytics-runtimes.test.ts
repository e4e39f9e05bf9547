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

const program = (options: string): string => `
  const { Analytics } = waybill;
  const analytics = new Analytics('key', ${options});
  analytics.track('u', 'e', { text: 'Größe' });
  analytics.close({ timeoutMs: 5_000 });
`;

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
