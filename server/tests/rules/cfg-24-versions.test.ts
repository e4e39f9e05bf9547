import Koa from 'koa';
import { expect, test } from 'vitest';
import { bootstrap } from '../../resources/bootstrap.ts';
import { createAddressGuard } from '../../delivery/address-guard.ts';
import { createConfigApi } from '../../resources/config-api.ts';
import { type ApiVersion, v1beta } from '../../resources/version.ts';
import { stillLive } from '../support/live-events.ts';
import { openDirectory } from '../../directory/directory.ts';
import { openConfigStore } from '../../storage/file/resources/config-store.ts';
import { NOW, startConfigApi, TOKEN } from '../support/config-api.ts';
import { memoryDisk } from '../support/config-disk.ts';
import { RecordingLog } from '../support/ingestion-log.ts';
import { serve } from '../support/served.ts';
import { newEvaluation, newLosses } from '../support/evaluation.ts';
import { openMemory } from '../support/memory-storage.ts';
import { stillClock } from '../support/still-clock.ts';
import { unusedQuotas } from '../support/unused-quotas.ts';

const NOTICE = { since: Date.parse('2026-12-01'), sunset: Date.parse('2027-03-01'), successor: '/v1beta2' };

/** The present document under another prefix, with one path less: a version is a document of its own. */
function v1beta2(): ApiVersion {
  const { paths, components } = v1beta().document;
  const moved = Object.entries(paths)
    .filter(([path]) => !path.startsWith('/v1beta/catalog'))
    .map(([path, item]) => [path.replace('/v1beta', '/v1beta2'), item]);
  return { prefix: '/v1beta2', document: { paths: Object.fromEntries(moved), components } };
}

/** Both versions side by side, the older one deprecated. */
async function startBoth(): Promise<(path: string) => Promise<Response>> {
  const log = new RecordingLog();
  const store = await openConfigStore({ folder: '/config', disk: memoryDisk(), log });
  const clock = stillClock(() => NOW);
  await bootstrap({ store, clock, token: TOKEN, workspace: 'main' });
  const jobs = { look: () => {} };
  const evaluation = newEvaluation(clock);
  const directory = await openDirectory(store, evaluation);
  const losses = newLosses(clock, log, evaluation);
  const shared = {
    live: stillLive(),
    quotas: unusedQuotas(),
    store,
    log,
    jobs,
    directory,
    members: openMemory(),
    retentionMs: 7 * 86_400_000,
    router: { name: 'router-a:4711', settings: [] },
    addressGuard: createAddressGuard([]),
    losses,
    ...evaluation,
  };
  const app = new Koa()
    .use(createConfigApi({ ...shared, version: { ...v1beta(), deprecation: NOTICE } }))
    .use(createConfigApi({ ...shared, version: v1beta2() }));
  const url = await serve(app);
  const headers = { authorization: `Bearer ${TOKEN}` };
  return (path) => fetch(`${url}${path}`, { headers });
}

test('CFG-24: two versions are served side by side, each by its own document', async () => {
  const get = await startBoth();
  const [older, newer] = [await get('/v1beta/workspaces/main'), await get('/v1beta2/workspaces/main')];
  expect([older.status, newer.status]).toEqual([200, 200]);
  expect(await newer.json()).toEqual(await older.json());
  expect((await get('/v1beta/catalog/sources')).status).toBe(200);
  expect((await get('/v1beta2/catalog/sources')).status).toBe(404);
});

test.each(['/v1beta/workspaces/main', '/v1beta/nothing'])(
  'CFG-24: %s announces that its version ends',
  async (path) => {
    const { headers } = await (await startBoth())(path);
    expect(['deprecation', 'sunset', 'link'].map((name) => headers.get(name))).toEqual([
      '@1796083200',
      'Mon, 01 Mar 2027 00:00:00 GMT',
      '</v1beta2>; rel="successor-version"',
    ]);
  },
);

test('CFG-24: a version that is not deprecated announces nothing', async () => {
  const newer = await (await startBoth())('/v1beta2/workspaces');
  const { headers } = await (await startConfigApi()).call('GET', '/workspaces');
  expect([newer.headers.get('deprecation'), headers.get('deprecation'), headers.get('sunset')]).toEqual([
    null,
    null,
    null,
  ]);
});
