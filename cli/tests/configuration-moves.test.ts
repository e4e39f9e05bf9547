import { expect, test } from 'vitest';
import { stringify } from 'yaml';
import { startConfigApi, TOKEN } from '../../server/tests/support/config-api.ts';
import { connectedTo, objectsIn } from './support/command-line.ts';

const SOURCE = 'workspaces/main/sources/web';

/** A router, and a command line that applies what the workspace `main` should be. */
async function startRouter() {
  const api = await startConfigApi();
  const { url } = api;
  const applying = async (main: object, ...flags: readonly string[]) => {
    const stdin = stringify({ version: 1, workspaces: { main } });
    const applied = await connectedTo(url, TOKEN, { stdin })('apply', '-f', '-', '--yes', ...flags);
    const after = await connectedTo(url, TOKEN, { stdin })('diff', '-f', '-', ...flags);
    return { ...applied, steps: applied.stdout.match(/^[-~+] .*/gm), isDone: after.status === 0 };
  };
  return { api, applying };
}

test.each([
  ['that the file holds no more', [{ display_name: 'Store', sources: ['web'] }]],
  ['of which the file tells no sources', [{ display_name: 'Shop' }, { display_name: 'Store', sources: ['web'] }]],
])('a source leaves the plan %s, and joins the one that names it', async (_how, plans) => {
  const { applying } = await startRouter();
  const sources = { web: {}, app: {} };
  await applying({ sources, tracking_plans: [{ display_name: 'Shop', sources: ['web', 'app'] }] });
  expect(await applying({ sources, tracking_plans: plans })).toMatchObject({
    stderr: 'applied\n',
    steps: [
      '+ main/tracking plan "Store"',
      '- main/tracking plan "Shop" for web',
      '+ main/tracking plan "Store" for web',
    ],
    isDone: true,
  });
});

const filtered = (titles: readonly string[]) => ({
  sources: {
    web: {
      labels: { by: 'ci' },
      destinations: { webhooks: { filters: titles.map((title) => ({ title, if: 'all', actions: [] })) } },
    },
  },
});

test('a destination with all the filters that it can have gets others for those that go', async () => {
  const { applying } = await startRouter();
  await applying(filtered(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j']));
  const after = await applying(filtered(['A', 'B', 'c', 'd', 'e', 'f', 'g', 'h', 'i']), '--prune', 'by=ci');
  expect(after).toMatchObject({
    stderr: 'applied\n',
    steps: ['- a', '+ A', '- b', '+ B', '- j'].map((step) => step.replace(/\w$/, 'main/web/webhooks/filter "$&"')),
    isDone: true,
  });
});

test('where there is room, a filter goes once those that come are there', async () => {
  const { applying } = await startRouter();
  await applying(filtered(['a', 'b']));
  const { steps } = await applying(filtered(['A', 'b']), '--prune', 'by=ci');
  expect(steps).toEqual(['+ main/web/webhooks/filter "A"', '- main/web/webhooks/filter "a"']);
});

test('where a change fails, what was told is done, and nothing was deleted', async () => {
  const { api, applying } = await startRouter();
  const labels = { by: 'ci' };
  await applying({ sources: { old: { labels }, web: { labels, destinations: { webhooks: {}, other: {} } } } });
  await api.ok('POST', '/workspaces/main/sources', {
    source: { name: 'workspaces/main/sources/taken', write_keys: ['t'.repeat(32)] },
  });
  const sources = { one: {}, two: { write_keys: ['t'.repeat(32)] }, web: { labels, destinations: { webhooks: {} } } };
  const { status, stdout, stderr } = await applying({ sources }, '--prune', 'by=ci', '--json');
  expect([status, JSON.parse(stderr)]).toMatchObject([
    1,
    { error: expect.stringMatching(/^main\/two: AlreadyExists/) },
  ]);
  expect(objectsIn(stdout)).toMatchObject([{ action: 'create', name: 'main/one' }]);
  const listed = await api.ok('GET', '/workspaces/main/sources');
  expect(listed).toMatchObject({ sources: ['old', 'web', 'taken', 'one'].map((slug) => ({ name: nameOf(slug) })) });
  expect(await api.ok('GET', `/${nameOf('web')}/destinations/other`)).toBeDefined();
});

test('a source that moves to another workspace says what is in its way, and moves once that is gone', async () => {
  const api = await startConfigApi();
  const source = { write_keys: ['k'.repeat(32)], labels: { by: 'ci' } };
  const applied = async (one: object, other: object) => {
    const stdin = stringify({ version: 1, workspaces: { one: { sources: one }, other: { sources: other } } });
    return connectedTo(api.url, TOKEN, { stdin })('apply', '-f', '-', '--yes', '--prune', 'by=ci');
  };
  await applied({}, { web: source });
  const refused = await applied({ web: source }, {});
  expect(refused).toMatchObject({ status: 1 });
  expect(refused.stderr).toMatch(/one\/web: AlreadyExists: .*in another workspace: remove it there first/);
  await api.ok('DELETE', '/workspaces/other/sources/web');
  expect(await applied({ web: source }, {})).toMatchObject({ status: 0, stderr: 'applied\n' });
});

const trait = { trait: 'plan', is: { eq: 'pro' } };
const counted = { events: { where: 'all', sources: [SOURCE] }, count: { gte: 1 } };

const named = (destination: string) => ({ display_name: 'A', definition: trait, destinations: [destination] });
const A_SLUG = 'sources.0 must be the slug of a source';
const A_PAIR = 'audiences.0.destinations.0 must be of the form source/destination';
const MISNAMED: readonly (readonly [main: object, words: string])[] = [
  [{ tracking_plans: [{ display_name: 'P', sources: [SOURCE] }] }, A_SLUG],
  [{ audiences: [{ display_name: 'A', definition: counted }] }, A_SLUG],
  [{ audiences: [named('web')] }, A_PAIR],
  [{ audiences: [named('web/a/b')] }, A_PAIR],
  [{ audiences: [named(`${SOURCE}/destinations/webhooks`)] }, A_PAIR],
];

test.each(MISNAMED)('a name of another form is refused before anything is done: %j', async (main, words) => {
  const { applying } = await startRouter();
  const { status, stdout, stderr } = await applying({ sources: { web: {} }, ...main });
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  expect(stderr).toContain(words);
});

test.each([
  [{ tracking_plans: [{ display_name: 'P', sources: ['wbe'] }] }, 'main/tracking plan "P" for wbe'],
  [{ audiences: [named('wbe/webhooks')] }, 'main/audience "A"'],
  [
    {
      audiences: [{ display_name: 'A', definition: { events: { where: 'all', sources: ['wbe'] }, count: { gte: 1 } } }],
    },
    'main/audience "A"',
  ],
])(
  'a source that is neither in the file nor on the router is named before anything is done: %j',
  async (main, label) => {
    const { api, applying } = await startRouter();
    await api.ok('POST', '/workspaces/main/sources', { source: { name: SOURCE } });
    const { status, stdout, stderr } = await applying({ sources: { app: {} }, ...main });
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toContain(`${label}: main/wbe is neither in the file nor on the router`);
  },
);

const nameOf = (slug: string): string => `workspaces/main/sources/${slug}`;
