import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ServedMock, serveMock } from '../../scripts/console/serve-mock.ts';
import { WORLDS, type WorldName } from '../mock/world-names.ts';
import { faultsOf } from './support/axe.ts';
import { canBrowse, expectText, openConsole } from './support/browser.ts';

/** What the first screen says of each world. */
const SAYS: Readonly<Record<WorldName, RegExp>> = {
  healthy: /Everything arrives/,
  failing: /Failing/,
  'open-circuit': /Circuit open/,
  backlog: /Late|Circuit open|Retrying/,
  empty: /Send the first event/,
};

let mock: ServedMock;
beforeAll(async () => {
  mock = await serveMock(0);
});
afterAll(() => mock[Symbol.asyncDispose]());

test.skipIf(!canBrowse).each(WORLDS)('the console shows the world %s without a router', async (world) => {
  const { page, complaints } = await openConsole(mock, `/?world=${world}`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await expectText(page, SAYS[world]);
  expect(await faultsOf(page, world)).toEqual([]);
  const next = world === 'empty' ? '/sources' : '/deliveries?source=shop&destination=webhooks';
  await page.goto(`${mock.url}/console/workspaces/main${next}`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  expect(await faultsOf(page, `${next} of ${world}`)).toEqual([]);
  expect(complaints).toEqual([]);
});
