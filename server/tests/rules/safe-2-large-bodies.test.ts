import { expect, test } from 'vitest';
import { createAdmission } from '../../http/admission.ts';
import { MOST_LARGE, pacedReading } from '../../resources/config-api.ts';
import { refuseDeepNesting, refuseManyValues } from '../../http/validation.ts';
import { sees, sightOf } from '../../resources/callers.ts';
import { matching } from '../../resources/entity-tag.ts';
import { NOW, startConfigApi } from '../support/config-api.ts';
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
function readingByHand() {
  const state = { now: 0, slept: [] as number[], read: [] as string[] };
  const sleep = (ms: number): Promise<void> => {
    state.slept.push(ms);
    state.now += ms;
    return Promise.resolve();
  };
  const paced = pacedReading({ steady: () => state.now, sleep });
  const read = async (holder: string, tookMs = 100, bytes = LARGE): Promise<string> =>
    paced(holder, bytes, () => {
      state.now += tookMs;
      state.read.push(holder);
      return holder;
    });
  return { state, read };
}

test('SAFE-2: large bodies of one holder are read one after the other, with rests of four times as long between', async () => {
  const { state, read } = readingByHand();
  await Promise.all([read('a'), read('a'), read('a')]);
  expect(state.slept).toEqual([400, 400]);
  expect(state.now).toBe(1_100);
});

test('SAFE-2: whoever sends large bodies holds up nobody else', async () => {
  const { state, read } = readingByHand();
  await Promise.all([read('a'), read('a'), read('b')]);
  expect(state.read.indexOf('b')).toBeLessThan(2);
  expect(await read('a', 1, LARGE - 1)).toBe('a');
});

test('SAFE-2: of one holder no more large bodies than ten wait', async () => {
  const { read } = readingByHand();
  const taken = Array.from({ length: MOST_LARGE }, () => read('a'));
  await expect(read('a')).rejects.toThrow('more than 10 requests with large bodies at once');
  expect(await read('b')).toBe('b');
  await Promise.all(taken);
  expect(await read('a')).toBe('a');
});

test('SAFE-2: a body that cannot be read keeps none behind it from being read', async () => {
  const { read } = readingByHand();
  const paced = pacedReading({ steady: () => 0, sleep: () => Promise.resolve() });
  const broken = paced('a', LARGE, () => {
    throw new SyntaxError('no JSON');
  });
  const next = paced('a', LARGE, () => 'read');
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

test.each([
  ['a list', { paths: Array.from({ length: 1_001 }, () => 'labels') }],
  ['a text', Array.from({ length: 1_001 }, () => 'labels').join()],
])('SAFE-2: a mask with more than 1,000 paths, as %s, is refused before they are looked at', async (_what, mask) => {
  const api = await startConfigApi();
  await api.ok('POST', SOURCES, { source: { name: 'workspaces/main/sources/js' } });
  const answer = await api.call('PATCH', `${SOURCES}/js`, { source: { labels: { a: 'b' } }, update_mask: mask });
  expect(answer).toMatchObject({
    status: 400,
    body: { error: 'update_mask.paths must NOT have more than 1000 items' },
  });
});

const config = (from: number) => Array.from({ length: 600 }, (_, at) => ({ name: `k${from + at}`, value: 1 }));

test('SAFE-2: a destination has at most 1,000 settings, however they come', async () => {
  const api = await startConfigApi();
  await api.ok('POST', SOURCES, { source: { name: 'workspaces/main/sources/js' } });
  const [all, name] = [`${SOURCES}/js/destinations`, 'workspaces/main/sources/js/destinations/other'];
  await api.ok('POST', all, { destination: { name, config: config(0) } });
  const more = { destination: { config: config(500) }, update_mask: { paths: ['config'] } };
  expect(await api.call('PATCH', `${all}/other`, more)).toMatchObject({
    status: 400,
    body: { error: 'destination.config would have 1100 settings, at most 1000 are allowed' },
  });
  await api.ok('PATCH', `${all}/other`, { ...more, destination: { config: config(400) } });
});

const PLANS = '/workspaces/main/tracking-plans';

/** A Config API whose clock goes on by itself, with a plan whose rules take so many bytes each; and the waits since. */
async function withPlan(bytes: number) {
  const [slept, state] = [[] as number[], { now: NOW }];
  const sleep = (ms: number): Promise<void> => {
    slept.push(ms);
    state.now += ms;
    return Promise.resolve();
  };
  const api = await startConfigApi(undefined, {
    clock: { now: () => state.now, steady: () => (state.now += 10), sleep },
  });
  const global = { title: 'x'.repeat(bytes) };
  const events = Array.from({ length: 4 }, (_, at) => ({ name: `E${at}`, rules: global }));
  const { name } = await api.ok('POST', PLANS, { tracking_plan: { display_name: 'shop', rules: { events, global } } });
  slept.length = 0;
  return { api, plan: `/${String(name)}`, slept };
}

test('SAFE-2: large answers of one holder are made one after the other, with rests between; small ones at once', async () => {
  const { api, plan, slept } = await withPlan(60_000);
  await Promise.all([api.ok('GET', plan), api.ok('GET', PLANS), api.ok('GET', '/workspaces/main')]);
  expect(slept).toHaveLength(2);
  expect(Math.min(...slept)).toBeGreaterThan(10);
  await api.ok('GET', '/workspaces/main');
  expect(slept).toHaveLength(2);
  const small = await withPlan(100);
  await Promise.all([small.api.ok('GET', small.plan), small.api.ok('GET', PLANS)]);
  expect(small.slept).toEqual([]);
});

test('SAFE-2: whoever asks for large answers holds up nobody else', async () => {
  const { api, plan, slept } = await withPlan(60_000);
  const wanted = { description: 'other', scopes: 'workspace:read', workspace_names: ['workspaces/main'] };
  const { token } = await api.ok('POST', '/access-tokens', { access_token: wanted });
  await api.ok('GET', plan, undefined, { token: String(token) });
  expect(slept).toEqual([]);
});

test('SAFE-2: a large answer says the same as a small one, with the same tag', async () => {
  const { api, plan } = await withPlan(60_000);
  const [first, second] = [await api.call('GET', plan), await api.call('GET', plan)];
  const { tracking_plans: plans } = await api.ok('GET', PLANS);
  expect(plans).toEqual([first.body]);
  expect(first.body).toMatchObject({ display_name: 'shop' });
  expect(first.headers.get('etag')).toMatch(/^"[\w-]{27}"$/);
  expect(second.headers.get('etag')).toBe(first.headers.get('etag'));
});

test('SAFE-2: rows of which few are listed are looked at in turns of who asks', async () => {
  const [asked, steps] = [[] as (string | undefined)[], [] as number[]];
  const turns = {
    room: (holder?: string) => void asked.push(holder),
    spent: (taken: number) => void steps.push(taken),
  };
  const api = await startConfigApi(undefined, { turns });
  for (const slug of 'abcde') await api.ok('POST', SOURCES, { source: { name: `workspaces/main/sources/${slug}` } });
  const { name } = await api.ok('POST', PLANS, { tracking_plan: { display_name: 'shop' } });
  asked.length = steps.length = 0;
  await api.ok('GET', `/${String(name)}/source-connections?page_size=1`);
  expect(steps).toEqual([400, 600]);
  expect(new Set(asked)).toEqual(new Set([expect.stringMatching(/^lists of access-tokens\//)]));
});

test.each(['workspaces/main/sources/js', 'workspaces/main/sources/js/destinations/webhooks', 'workspaces/main'])(
  'SAFE-2: what a token that is limited to %s sees of many names is what it sees of each',
  (limit) => {
    const token = { name: 'access-tokens/1', workspace_names: ['workspaces/main'], resource_names: [limit] };
    const caller = { token: { ...token, description: '', scopes: 'workspace' as const, create_time: '', hash: '' } };
    const isSeen = sightOf(caller);
    const names = [
      'js',
      'js2',
      'js/destinations/webhooks',
      'js/destinations/webhooks/filters/f',
      'a/destinations/webhooks',
    ];
    for (const name of ['workspaces/other/sources/js', ...names.map((below) => `workspaces/main/sources/${below}`)]) {
      expect([name, isSeen(name)]).toEqual([name, sees(caller, name)]);
    }
  },
);

test('SAFE-2: the tag of a state is made once, however often it is compared', () => {
  const stored = Object.freeze({ name: 'workspaces/main/sources/js' });
  let reads = 0;
  const shown = Object.freeze(
    Object.defineProperty({ ...stored, size: 0 }, 'size', { enumerable: true, get: () => (reads += 1) }),
  );
  const match = matching(() => shown);
  for (let times = 0; times < 3; times += 1)
    expect(() => match({ 'If-Match': '"x"' }, stored)).toThrow('does not match');
  expect(reads).toBe(1);
  expect(() => match({}, stored)).not.toThrow();
});
