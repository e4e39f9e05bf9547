import { randomBytes } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Directory, openDirectory } from '../../directory/directory.ts';
import type { Kind } from '../../model/resources.ts';
import type { ConfigStore } from '../../storage/config-store.ts';
import { openConfigStore } from '../../storage/file/resources/config-store.ts';
import { Memory } from '../../storage/memory/memory.ts';
import { memoryDisk } from '../support/config-disk.ts';
import {
  audience,
  computedTrait,
  destination,
  regulation,
  source,
  trackingPlan,
  workspace,
} from '../support/config-resources.ts';
import { newEvaluation } from '../support/evaluation.ts';
import { RecordingLog } from '../support/ingestion-log.ts';
import { suppressedBy } from '../support/regulation-world.ts';
import { stillClock } from '../support/still-clock.ts';

const WORKSPACES = ['a', 'b'] as const;
const SLUGS = ['one', 'two'] as const;

interface Step {
  readonly workspace: string;
  readonly slug: string;
  readonly what: 'workspace' | 'source' | 'destination' | 'filter' | 'plan' | 'regulation' | 'audience' | 'trait';
  readonly how: 'create' | 'change' | 'remove';
}

const STEP = fc.record<Step>({
  workspace: fc.constantFrom(...WORKSPACES),
  slug: fc.constantFrom(...SLUGS),
  what: fc.constantFrom('workspace', 'source', 'destination', 'filter', 'plan', 'regulation', 'audience', 'trait'),
  how: fc.constantFrom('create', 'create', 'change', 'remove'),
});

const PLAN_ID = `rs_${'p'.repeat(27)}`;

function nameOf({ workspace: home, slug, what }: Step): [kind: Kind, name: string] {
  const [base, below] = [`workspaces/${home}`, `workspaces/${home}/sources/${slug}`];
  switch (what) {
    case 'workspace':
      return ['workspaces', base];
    case 'source':
      return ['sources', below];
    case 'destination':
      return ['destinations', `${below}/destinations/webhooks`];
    case 'filter':
      return ['filters', `${below}/destinations/webhooks/filters/df_1`];
    case 'plan':
      return ['tracking-plans', `${base}/tracking-plans/${PLAN_ID}`];
    case 'regulation':
      return ['regulations', `${base}/regulations/rg_${slug}`];
    case 'audience':
      return ['audiences', `${base}/audiences/aud_${slug}`];
    case 'trait':
      return ['computed-traits', `${base}/computed-traits/tra_${slug}`];
  }
}

async function take(store: ConfigStore, step: Step): Promise<void> {
  const [kind, name] = nameOf(step);
  if (step.how === 'remove') await store.remove(kind, name);
  else if (step.how === 'create') await create(store, step, name);
  else await change(store, step, name);
}

/** An id is never given twice, so that of a workspace that is there or was is refused. */
async function createWorkspace(store: ConfigStore, home: string): Promise<void> {
  if ((await store.get('workspaces', `workspaces/${home}`)) !== undefined) return;
  await store.create('workspaces', workspace(home, randomBytes(5).toString('hex')));
}

async function create(store: ConfigStore, { workspace: home, slug, what }: Step, name: string): Promise<void> {
  switch (what) {
    case 'workspace':
      return createWorkspace(store, home);
    case 'source':
      return void (await store.create('sources', { ...source(home, slug), tracking_plan: planOf(home) }));
    case 'destination':
      return void (await store.create('destinations', {
        ...destination(`workspaces/${home}/sources/${slug}`),
        config: [],
        name,
      }));
    case 'filter': {
      const filter = {
        title: '',
        description: '',
        enabled: true,
        if: 'all',
        actions: [{ type: 'drop_event' as const }],
      };
      return void (await store.create('filters', { ...filter, name }));
    }
    case 'plan':
      return void (await store.create('tracking-plans', { ...trackingPlan(home, PLAN_ID), name }));
    case 'regulation':
      return void (await store.create('regulations', { ...regulation(home, `rg_${slug}`), name, user_ids: [slug] }));
    case 'audience':
      return void (await store.create('audiences', audience(home, `aud_${slug}`)));
    case 'trait':
      return void (await store.create('computed-traits', computedTrait(home, `tra_${slug}`)));
  }
}

async function change(store: ConfigStore, { what }: Step, name: string): Promise<void> {
  if (what === 'source') await store.update('sources', name, (one) => ({ ...one, write_keys: [`${name} again`] }));
  if (what === 'destination') await store.update('destinations', name, (one) => ({ ...one, enabled: !one.enabled }));
  if (what === 'filter') await store.update('filters', name, (one) => ({ ...one, enabled: !one.enabled }));
  if (what === 'audience') await store.update('audiences', name, (one) => ({ ...one, enabled: !one.enabled }));
  if (what === 'trait') await store.update('computed-traits', name, (one) => ({ ...one, definition: COUNTER }));
  if (what === 'plan') await store.update('tracking-plans', name, (one) => ({ ...one, rules: { events: [] } }));
}

const COUNTER = { counter: { where: 'all', window: { within: '1d' } } };

function planOf(home: string): string {
  return `workspaces/${home}/tracking-plans/${PLAN_ID}`;
}

/** All that a directory says, of every name that a step can make. */
function saidBy(directory: Directory): unknown {
  return WORKSPACES.map((home) => [
    suppressedBy(directory, `workspaces/${home}`),
    directory.computations(`workspaces/${home}`).all.map((one) => ({ ...one, at: one.at(500_000) })),
    SLUGS.map((slug) => {
      const name = `workspaces/${home}/sources/${slug}`;
      const view = directory.source(name);
      const keys = [`key-${home}-${slug}`, `${name} again`].map((key) => directory.sourceByWriteKey(key)?.name);
      const routes = view?.routes.map(({ destination: to, admits }) => [to, admits === undefined]);
      const target = directory.target(`${name}/destinations/webhooks`);
      return [keys, routes, view?.plan?.name, view?.settings, target?.webhooks, target?.sharedSecret];
    }),
  ]);
}

async function openStore(): Promise<ConfigStore> {
  return openConfigStore({ folder: '/config', disk: memoryDisk(), log: new RecordingLog() });
}

/** The storage, as one router and another have it open. */
type Place = () => Promise<readonly [ConfigStore, ConfigStore]>;

const alone: Place = async () => {
  const store = await openStore();
  return [store, store];
};

/** Neither hears of what the other does unless it asks. */
const shared: Place = async () => {
  const memory = new Memory({ clock: stillClock(() => 0), hearLater: () => undefined });
  return [memory.open('one').resources, memory.open('other').resources];
};

/** Whether a directory that follows changes always says what one says that is opened after them. */
async function follows(steps: readonly Step[], open: typeof openDirectory, place: Place): Promise<boolean> {
  const [store, other] = await place();
  const following = await open(store, newEvaluation());
  for (const what of ['workspace', 'source', 'destination'] as const) {
    await take(store, { workspace: 'a', slug: 'one', what, how: 'create' });
  }
  for (const [index, step] of steps.entries()) {
    saidBy(following);
    await take(index % 2 === 0 ? other : store, step);
    await following.refresh();
    const said = JSON.stringify(saidBy(following));
    if (said !== JSON.stringify(saidBy(await openDirectory(store, newEvaluation())))) return false;
  }
  await store.close();
  return true;
}

/** Whether any changes are found after which it says something else. */
async function goesWrong(
  open: typeof openDirectory,
  runs: { readonly numRuns: number; readonly seed?: number },
  place = alone,
): Promise<unknown> {
  const steps = fc.array(STEP, { minLength: 10, maxLength: 40 });
  const property = fc.asyncProperty(steps, (taken) => follows(taken, open, place));
  const { failed, counterexample, errorInstance } = await fc.check(property, runs);
  return failed && [counterexample, String(errorInstance)];
}

test('D-13: after any changes the directory says what the storage holds', async () => {
  expect(await goesWrong(openDirectory, { numRuns: 100 })).toBe(false);
});

test('NODE-5: after any changes by two routers the directory of one says what the storage holds', async () => {
  expect(await goesWrong(openDirectory, { numRuns: 100 }, shared)).toBe(false);
});

/** Never asks for what it was not told. */
const idleDirectory: typeof openDirectory = async (resources, parts) => ({
  ...(await openDirectory(resources, parts)),
  refresh: () => Promise.resolve(),
});

test('a directory that does not ask would be found', async () => {
  expect(await goesWrong(idleDirectory, { numRuns: 100, seed: 1 }, shared)).not.toBe(false);
});

/** Hears of everything but filters. */
const deafDirectory: typeof openDirectory = (resources, parts) => {
  const watch: ConfigStore['watch'] = (listener, kinds) =>
    resources.watch(
      (commit) => listener({ ...commit, changes: commit.changes.filter(({ kind }) => kind !== 'filters') }),
      kinds,
    );
  return openDirectory({ watch, refresh: () => resources.refresh() }, parts);
};

test('a directory that misses a kind of change would be found', async () => {
  expect(await goesWrong(deafDirectory, { numRuns: 500, seed: 1 })).not.toBe(false);
});

test('D-13: a change holds from the moment at which it is answered', async () => {
  const store = await openStore();
  await store.create('workspaces', workspace('a'));
  await store.create('sources', source('a', 'one'));
  const directory = await openDirectory(store, newEvaluation());
  const name = 'workspaces/a/sources/one';
  let seen: unknown;
  // In the same turn of the event loop: nothing has been awaited since the answer.
  await store
    .create('destinations', { ...destination(name), enabled: true })
    .then(() => (seen = directory.source(name)?.routes.length));
  expect(seen).toBe(1);
  const version = directory.version('workspaces/a');
  await store
    .remove('destinations', `${name}/destinations/webhooks`)
    .then(() => (seen = directory.source(name)?.routes));
  expect([seen, directory.version('workspaces/a') > version]).toEqual([[], true]);
});

test('SAFE-2: what was compiled of the destinations of a source is kept, but for those that have changed', async () => {
  const store = await openStore();
  await store.create('workspaces', workspace('a'));
  await store.create('sources', source('a', 'one'));
  const name = 'workspaces/a/sources/one';
  const second = `${name}/destinations/webhooks-b`;
  const catalog_name = 'catalog/destinations/webhooks';
  for (const slug of ['webhooks-a', 'webhooks-b'])
    await store.create('destinations', { ...destination(name, slug), enabled: true, catalog_name });
  const directory = await openDirectory(store, newEvaluation());
  const before = directory.source(name)?.routes ?? [];
  await store.update('sources', name, (current) => ({ ...current, display_name: 'other' }));
  expect(directory.source(name)?.routes).toBe(before);
  await store.update('destinations', second, (current) => ({ ...current, enabled: true, display_name: 'other' }));
  const after = directory.source(name)?.routes ?? [];
  expect(after).toHaveLength(2);
  expect([after[0] === before[0], after[1] === before[1]]).toEqual([true, false]);
});

/** Production files that store acceptances, beside the storage itself. */
function waysIn(): string[] {
  const root = fileURLToPath(new URL('../../..', import.meta.url));
  const files = globSync('{server,testbed}/**/*.ts', { cwd: root, exclude: ['**/node_modules/**', '**/tests/**'] });
  return files
    .filter((file) => !/^server\/(?:storage|operations)\//.test(file))
    .filter((file) => /\b(?:deliveries|store|storage)\.accept\(/.test(readFileSync(`${root}/${file}`, 'utf8')));
}

test('ING-10: events are accepted in one place, which the simulation runs as well', () => {
  expect(waysIn()).toEqual(['server/events/accept.ts']);
});
