import { expect, test } from 'vitest';
import { type ConfigApiServer, startConfigApi } from '../support/config-api.ts';
import { HOSTILE_CONDITIONS } from '../support/hostile-definitions.ts';

const PATH = '/filters/preview';

function asked(condition: string, actions: readonly object[], input: unknown): object {
  const text = typeof input === 'string' ? input : JSON.stringify(input);
  return { filter: { if: condition, actions, enabled: true }, input: text };
}

interface Shown {
  readonly dropped: unknown;
  readonly undecided: unknown;
  readonly event: unknown;
}

async function previewed(api: ConfigApiServer, ...of: Parameters<typeof asked>): Promise<Shown> {
  const { dropped, undecided, output } = await api.ok('POST', PATH, asked(...of));
  return { dropped, undecided, event: typeof output === 'string' ? JSON.parse(output) : output };
}

const EVENT = {
  type: 'track',
  messageId: 'm1',
  userId: 'u1',
  event: 'Test',
  properties: { email: 'ada@example.com', plan: 'pro' },
  context: { ip: '10.0.0.1' },
  timestamp: '2026-11-20T11:00:00.000Z',
  receivedAt: '2026-11-20T11:00:01.000Z',
};

const IS_TEST = 'event = "Test"';
const DROP = { type: 'drop_event' };
const NO_EMAIL = { type: 'blacklist_fields', fields: { properties: { fields: ['email'] } } };

test.each([
  ['drops the event', IS_TEST, [DROP], undefined],
  ['leaves one alone that it is not about', 'event = "Other"', [DROP, NO_EMAIL], EVENT],
  ['leaves out fields', IS_TEST, [NO_EMAIL], { ...EVENT, properties: { plan: 'pro' } }],
  [
    'sends only fields',
    'all',
    [{ type: 'whitelist_fields', fields: { context: { fields: [] } } }],
    { ...EVENT, context: {} },
  ],
  ['samples everything out', 'all', [{ type: 'sample_event', percent: 0 }], undefined],
  ['samples everything in', 'all', [{ type: 'sample_event', percent: 1 }], EVENT],
  ['is about nothing', '', [DROP], EVENT],
  ['does nothing', 'all', [], EVENT],
])('a preview shows that a filter %s', async (_what, condition, actions, event) => {
  const api = await startConfigApi();
  const dropped = event === undefined;
  expect(await previewed(api, condition, actions, EVENT)).toEqual({ dropped, undecided: false, event });
});

test('a preview shows what the filter does once it is enabled, and a disabled one is no other', async () => {
  const api = await startConfigApi();
  for (const enabled of [true, false, undefined]) {
    const body = { filter: { if: 'all', actions: [DROP], enabled }, input: '{"event":"Test"}' };
    expect(await api.ok('POST', PATH, body)).toEqual({ dropped: true, undecided: false });
  }
});

test('an input need not be complete, and is read as ingestion reads an event', async () => {
  const api = await startConfigApi();
  const { event } = await previewed(api, 'all', [], { userId: 7, traits: [], properties: null, own: 1 });
  const now = '2026-11-20T12:00:00.123Z';
  expect(event).toEqual({
    type: 'track',
    messageId: 'preview',
    userId: '7',
    traits: {},
    context: {},
    timestamp: now,
    receivedAt: now,
  });
  const { event: precise } = await previewed(api, 'all', [], '{"userId":9007199254740993,"properties":{"a":NaN}}');
  expect(precise).toMatchObject({ userId: '9007199254740993', properties: { a: null } });
  // A notice of the router itself passes whole.
  expect(await previewed(api, 'all', [DROP], { type: 'delete', userId: 'u' })).toMatchObject({ dropped: false });
});

test('the same preview of a sample comes to the same', async () => {
  const api = await startConfigApi();
  const sample = [{ type: 'sample_event', percent: 0.5, path: 'userId' }];
  const ask = (userId: string): Promise<Shown> => previewed(api, 'all', sample, { userId });
  const users = Array.from({ length: 40 }, (_, index) => `u${index}`);
  const [first, second] = [await Promise.all(users.map(ask)), await Promise.all(users.map(ask))];
  expect(first.map(({ dropped }) => dropped)).toEqual(second.map(({ dropped }) => dropped));
  expect(new Set(first.map(({ dropped }) => dropped))).toEqual(new Set([true, false]));
});

test.each([
  ['{"event":', 'input is not valid JSON'],
  ['["event"]', 'input must be the JSON text of an object'],
  ['', 'input is not valid JSON'],
  ['{"type":"shout"}', 'input must have one of these as its type: identify'],
  ['{"properties":"all"}', 'input.properties must be an object'],
  ['{"context":5}', 'input.context must be an object'],
  [`{"properties":${'{"a":'.repeat(1_001)}1${'}'.repeat(1_001)}}`, 'input is nested deeper than 1000 levels'],
  [JSON.stringify({ event: 'é'.repeat(16_500) }), 'input is 33012 bytes of at most 32768'],
  [{ event: 'no text' }, 'input must be string'],
  [undefined, "the body must have required property 'input'"],
])('CFG-14: a preview of %j is refused', async (input, text) => {
  const api = await startConfigApi();
  const answer = await api.call('POST', PATH, { filter: { if: 'all' }, input });
  expect(answer).toMatchObject({ status: 400, body: { error: expect.stringContaining(text), code: 3 } });
});

test('CFG-14: a filter that could not be stored is not tried either', async () => {
  const api = await startConfigApi();
  const condition = await api.call('POST', PATH, asked('event =', [], {}));
  expect(condition).toMatchObject({ status: 400, body: { error: expect.stringContaining('filter.if: column 8') } });
  const action = await api.call('POST', PATH, asked('all', [{ type: 'sample_event' }], {}));
  expect(action).toMatchObject({ status: 400, body: { error: expect.stringContaining('filter.actions[0] must') } });
});

const [CONDITION = '', SLOW = {}] = HOSTILE_CONDITIONS['many patterns'] ?? [];

test('SAFE-2: a preview says what could not be decided, and what follows', async () => {
  const api = await startConfigApi();
  expect(await previewed(api, CONDITION, [DROP], SLOW)).toEqual({
    dropped: true,
    undecided: true,
    event: undefined,
  });
  expect(await previewed(api, CONDITION, [NO_EMAIL], SLOW)).toMatchObject({
    dropped: false,
    undecided: true,
    event: { properties: {} },
  });
});

test('CFG-12: a token that only reads may ask for a preview, and nothing is logged as a change', async () => {
  const api = await startConfigApi();
  const access_token = { description: 'a reader', scopes: 'workspace:read' };
  const { token } = await api.ok('POST', '/access-tokens', { access_token });
  const changes = api.log.lines.length;
  const answer = await api.call('POST', PATH, asked(IS_TEST, [DROP], EVENT), { token: String(token) });
  expect(answer).toMatchObject({ status: 200, body: { dropped: true } });
  expect(api.log.lines).toHaveLength(changes);
});

test('SAFE-2: previews of all tokens of a workspace have the turns of one', async () => {
  const holders: unknown[] = [];
  const room = (holder?: string): undefined => void holders.push(holder);
  const api = await startConfigApi(undefined, { turns: { room, spent: () => {} } });
  const workspace_names = ['workspaces/main'];
  for (const path of [PATH, PATH, '/shapes/preview']) {
    const wanted = { access_token: { description: 'CI', scopes: 'workspace', workspace_names } };
    const { token } = await api.ok('POST', '/access-tokens', wanted);
    const body =
      path === PATH
        ? asked('all', [NO_EMAIL], EVENT)
        : { shape: [{ op: 'drop', paths: ['properties.email'] }], input: JSON.stringify(EVENT) };
    await api.ok('POST', path, body, { token: String(token) });
  }
  const own = 'previews of workspaces/main';
  expect(holders).toEqual([own, own, own]);
});
