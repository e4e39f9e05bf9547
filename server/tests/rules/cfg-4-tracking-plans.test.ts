import { expect, test } from 'vitest';
import { type ConfigApiServer, startConfigApi } from '../support/config-api.ts';

const PLANS = '/workspaces/main/tracking-plans';

async function create(api: ConfigApiServer, rules?: unknown): Promise<Record<string, unknown>> {
  return api.ok('POST', PLANS, { tracking_plan: { display_name: 'shop', ...(rules === undefined ? {} : { rules }) } });
}

/** A path of every kind of thing that people keep in rules, and that typed clients lose. */
const RULES = {
  events: [
    {
      name: 'Order Completed',
      description: '',
      rules: {
        $schema: 'http://json-schema.org/draft-07/schema#',
        type: ['object', 'null'],
        labels: { owner: 'a' },
        properties: {
          context: {},
          traits: {},
          properties: { type: 'object', required: ['id'], pattern: '^a', enum: [null, 1] },
        },
      },
    },
  ],
  global: {},
  identify: { properties: { traits: { type: 'object' } } },
  identify_traits: null,
  __proto_like: { 'a.b': [1.5, 1e21, '\u0000', '𝒳', false] },
};

test('CFG-4: a plan gets a prefixed id in the place of a slug', async () => {
  const api = await startConfigApi();
  const plan = await create(api);
  expect(plan).toEqual({
    name: expect.stringMatching(/^workspaces\/main\/tracking-plans\/rs_[A-Za-z0-9]{27}$/),
    display_name: 'shop',
    rules: { events: [] },
    create_time: '2026-11-20T12:00:00Z',
    update_time: '2026-11-20T12:00:00Z',
  });
  expect((await create(api))['name']).not.toBe(plan['name']);
});

test.each(['PATCH', 'PUT'])('CFG-4, D-4: renaming a plan by %s keeps its name', async (method) => {
  const api = await startConfigApi();
  const { name } = await create(api);
  api.time.now += 5_000;
  const change = { tracking_plan: { display_name: 'renamed' }, update_mask: { paths: ['tracking_plan.display_name'] } };
  const renamed = await api.ok(method, `/${String(name)}`, change);
  expect(renamed).toMatchObject({ name, display_name: 'renamed', update_time: '2026-11-20T12:00:05Z' });
  expect(await api.ok('GET', `/${String(name)}`)).toEqual(renamed);
});

test('rules are kept and given back verbatim', async () => {
  const api = await startConfigApi();
  const created = await create(api, RULES);
  expect(created['rules']).toEqual(RULES);
  expect((await api.ok('GET', `/${String(created['name'])}`))['rules']).toEqual(RULES);
  expect(Object.keys((await api.ok('GET', PLANS))['tracking_plans'] ?? {})).toHaveLength(1);
});

test.each([[{}], [{ events: null }], [{ global: {} }]])('answers show events as a list for rules %j', async (rules) => {
  const api = await startConfigApi();
  const { name } = await create(api, rules);
  const path = `/${String(name)}`;
  const list = await api.ok('GET', PLANS);
  const unchanged = await api.ok('PATCH', path, {});
  for (const plan of [await api.ok('GET', path), unchanged, list['tracking_plans']].flat()) {
    expect(plan).toMatchObject({ rules: { ...rules, events: [] } });
  }
});

/** An update that carries rules for identify alone. */
function identifying(paths: string[]): object {
  return { tracking_plan: { rules: { identify: { a: 1 } } }, update_mask: { paths } };
}

test('CFG-10: one group of rules changes without the others', async () => {
  const api = await startConfigApi();
  const { name } = await create(api, RULES);
  const one = await api.ok('PUT', `/${String(name)}`, identifying(['tracking_plan.rules.identify']));
  expect(one['rules']).toEqual({ ...RULES, identify: { a: 1 } });
  const emptied = await api.ok('PUT', `/${String(name)}`, identifying(['rules.events', 'rules.global']));
  expect(emptied['rules']).toEqual({ ...RULES, identify: { a: 1 }, events: [], global: {} });
  const whole = await api.ok('PUT', `/${String(name)}`, identifying(['tracking_plan.rules']));
  expect(whole['rules']).toEqual({ identify: { a: 1 }, events: [] });
});

test.each([
  ['events that are no list', { events: 'all' }, 'tracking_plan.rules.events must be array'],
  ['a list', [], 'tracking_plan.rules must be object, got a list'],
])('CFG-14: rules with %s are refused', async (_what, rules, text) => {
  const api = await startConfigApi();
  const answer = await api.call('POST', PLANS, { tracking_plan: { display_name: 'shop', rules } });
  expect(answer).toMatchObject({ status: 400, body: { error: text, code: 3 } });
});

test.each([
  [150, 'tracking_plan.rules is nested deeper than 100 levels'],
  [50_000, 'the body is nested deeper than 200 levels'],
])('CFG-14: rules that are nested %i times are refused', async (depth, error) => {
  const api = await startConfigApi();
  const deep = `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
  const answer = await api.call('POST', PLANS, `{"tracking_plan":{"display_name":"deep","rules":${deep}}}`);
  expect(answer).toMatchObject({ status: 400, body: { error } });
});
