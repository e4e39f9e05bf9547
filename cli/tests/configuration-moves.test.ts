import { expect, test } from 'vitest';
import { stringify } from 'yaml';
import { startConfigApi, TOKEN } from '../../server/tests/support/config-api.ts';
import { connectedTo } from './support/command-line.ts';

/** A router, and a command line that applies what the workspace `main` should be. */
async function startRouter() {
  const { url } = await startConfigApi();
  const applying = async (main: object, ...flags: readonly string[]) => {
    const stdin = stringify({ version: 1, workspaces: { main } });
    const applied = await connectedTo(url, TOKEN, { stdin })('apply', '-f', '-', '--yes', ...flags);
    const after = await connectedTo(url, TOKEN, { stdin })('diff', '-f', '-', ...flags);
    return { ...applied, steps: applied.stdout.match(/^[-~+] .*/gm), isDone: after.status === 0 };
  };
  return { applying };
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
