import { expect, test } from 'vitest';
import { createAdmission } from '../../http/admission.ts';
import { MOST_LARGE, PacedReading } from '../../http/paced-reading.ts';
import { refuseManyValues } from '../../http/operation-checks.ts';
import { refuseDeepNesting } from '../../http/validation.ts';
import { startConfigApi } from '../support/config-api.ts';
import { MAX_MS, processorMs } from '../support/processor-time.ts';

const SOURCES = '/workspaces/main/sources';
const LARGE = 65_536;

function body(value: string): string {
  return `{"source":{"name":"workspaces/main/sources/js","labels":${value}}}`;
}

function fields(count: number): string {
  return `{${Array.from({ length: count }, (_, at) => `"k${at}":1`).join(',')}}`;
}

test.each([
  ['objects', `[${'{},'.repeat(400_000)}{}]`],
  ['numbers', `[${'1,'.repeat(1_000_000)}1]`],
  ['lists within lists', '['.repeat(1_000_000) + ']'.repeat(1_000_000)],
  ['fields', `[${Array.from({ length: 26 }, () => fields(10_000)).join(',')}]`],
])('SAFE-2: a body that is full of %s is refused before it is parsed', async (_what, value) => {
  const api = await startConfigApi();
  const answer = await api.call('POST', SOURCES, body(value));
  expect(answer).toMatchObject({ status: 400, body: { error: /^the body holds \d+ values, and may hold 250000$/ } });
});

test('SAFE-2: an object of more than 10,000 fields is refused before it is parsed', async () => {
  const api = await startConfigApi();
  const error = 'an object of the body has more than 10000 fields';
  expect(await api.call('POST', SOURCES, body(fields(10_001)))).toMatchObject({ status: 400, body: { error } });
  const several = `[${fields(9_000)},${fields(9_000)}]`;
  expect((await api.call('POST', SOURCES, body(several))).body).not.toMatchObject({ error });
});

test('SAFE-2: what stands in a text is no value', async () => {
  const api = await startConfigApi();
  const text = JSON.stringify('",[{\\'.repeat(200_000));
  await api.ok('POST', SOURCES, { source: { name: 'workspaces/main/sources/js' } });
  const changed = `{"source":{"labels":{"a":${text}}},"update_mask":{"paths":["source.labels"]}}`;
  const { body: answered } = await api.call('PATCH', `${SOURCES}/js`, changed);
  expect(answered).not.toMatchObject({ error: /values/ });
});

test('SAFE-2: to look through the largest body takes no turn of the event loop', () => {
  const wide = Buffer.from(`[${'1,'.repeat(240_000)}1]`);
  const parsed: unknown = JSON.parse(wide.toString());
  expect(processorMs(() => refuseDeepNesting(parsed, 'the body'))).toBeLessThan(MAX_MS);
  expect(processorMs(() => refuseManyValues(wide, 250_000))).toBeLessThan(MAX_MS);
});

/** Reading that is paced by a clock which the test moves: each body takes what the test says. */
function pacedReading() {
  const state = { now: 0, slept: [] as number[], read: [] as string[] };
  const sleep = (ms: number): Promise<void> => {
    state.slept.push(ms);
    state.now += ms;
    return Promise.resolve();
  };
  const reading = new PacedReading({ steady: () => state.now, sleep });
  const read = async (holder: string, tookMs = 100, bytes = LARGE): Promise<string> =>
    reading.read(holder, bytes, () => {
      state.now += tookMs;
      state.read.push(holder);
      return holder;
    });
  return { state, read };
}

test('SAFE-2: large bodies of one holder are read one after the other, with rests of four times as long between', async () => {
  const { state, read } = pacedReading();
  await Promise.all([read('a'), read('a'), read('a')]);
  expect(state.slept).toEqual([400, 400]);
  expect(state.now).toBe(1_100);
});

test('SAFE-2: whoever sends large bodies holds up nobody else', async () => {
  const { state, read } = pacedReading();
  await Promise.all([read('a'), read('a'), read('b')]);
  expect(state.read.indexOf('b')).toBeLessThan(2);
  expect(await read('a', 1, LARGE - 1)).toBe('a');
});

test('SAFE-2: of one holder no more large bodies than ten wait', async () => {
  const { read } = pacedReading();
  const taken = Array.from({ length: MOST_LARGE }, () => read('a'));
  await expect(read('a')).rejects.toThrow('more than 10 requests with large bodies at once');
  expect(await read('b')).toBe('b');
  await Promise.all(taken);
  expect(await read('a')).toBe('a');
});

test('SAFE-2: a body that cannot be read keeps none behind it from being read', async () => {
  const { read } = pacedReading();
  const reading = new PacedReading({ steady: () => 0, sleep: () => Promise.resolve() });
  const broken = reading.read('a', LARGE, () => {
    throw new SyntaxError('no JSON');
  });
  const next = reading.read('a', LARGE, () => 'read');
  await expect(broken).rejects.toThrow('no JSON');
  expect(await next).toBe('read');
  expect(await read('a')).toBe('a');
});

test('SAFE-1: bodies of the Config API take no more memory together than they may', async () => {
  const admission = createAdmission({ requests: 10, bytes: 1_000 }, () => 0);
  const api = await startConfigApi(undefined, { admission });
  const wanted = { source: { name: 'workspaces/main/sources/js' } };
  expect(await api.call('POST', SOURCES, { ...wanted, padding: 'x'.repeat(1_000) })).toMatchObject({ status: 429 });
  expect(await api.call('POST', SOURCES, wanted)).toMatchObject({ status: 200 });
});
