import { expect, test } from 'vitest';
import { createAddressGuard } from '../../delivery/address-guard.ts';
import { createConfigApi } from '../../resources/config-api.ts';
import { createApplication } from '../../http/application.ts';
import { createHealth } from '../../operations/health.ts';
import { createOperationsRouter } from '../../http/operations-router.ts';
import { notImplemented } from '../../http/errors.ts';
import { answerErrors } from '../../http/error-answers.ts';
import { stillLive } from '../support/live-events.ts';
import { openDirectory } from '../../directory/directory.ts';
import { openConfigStore } from '../../storage/file/resources/config-store.ts';
import { startConfigApi } from '../support/config-api.ts';
import { memoryDisk } from '../support/config-disk.ts';
import { RecordingLog } from '../support/ingestion-log.ts';
import Koa, { type Middleware } from 'koa';
import { serve } from '../support/served.ts';
import { newEvaluation, newLosses } from '../support/evaluation.ts';
import { openMemory } from '../support/memory-storage.ts';
import { stillClock } from '../support/still-clock.ts';
import { unusedQuotas } from '../support/unused-quotas.ts';

test.each(['OPTIONS', 'PROPFIND', 'SEARCH', 'LOCK'])('CFG-19: %s, which no resource has, is a 501', async (method) => {
  const api = await startConfigApi();
  const answer = await api.call(method, '/workspaces');
  expect(answer).toMatchObject({ status: 501, body: { error: expect.stringContaining(method), code: 12 } });
});

test('CFG-15, CFG-19: a method that the API has elsewhere is a 404', async () => {
  const api = await startConfigApi();
  for (const method of ['PUT', 'PATCH', 'DELETE']) {
    expect(await api.call(method, '/workspaces')).toMatchObject({ status: 404, body: { code: 5 } });
  }
});

test('CFG-19: an operation without an implementation is a 501', async () => {
  const responses = { 200: { content: { 'application/json': {} } } };
  const document = { paths: { '/later': { get: { operationId: 'later', responses } } }, components: {} };
  const serveLater = createOperationsRouter<{ later: unknown }, undefined>({
    document,
    handlers: { later: notImplemented },
    bodyLimit: { bytes: 1, failure: 'InvalidArgument' },
    guard: () => undefined,
  });
  const answer = answerErrors(new RecordingLog(), ({ message, code }) => ({ error: message, code }));
  const app = new Koa().use(answer);
  app.use(serveLater);
  const response = await fetch(`${await serve(app)}/later`);
  expect(response.status).toBe(501);
  expect(await response.json()).toEqual({ error: 'this method is not implemented', code: 12 });
});

test('CFG-20: while the router stops, the API is a 503 with code 14', async () => {
  const state = { aborted: false };
  const url = await serveWhole(state);
  expect((await fetch(`${url}/v1beta/workspaces`)).status).toBe(401);
  state.aborted = true;
  const refused = await fetch(`${url}/v1beta/workspaces`);
  expect(refused.status).toBe(503);
  expect(refused.headers.get('connection')).toBe('close');
  expect(await refused.json()).toMatchObject({ error: 'the router is stopping; try again', code: 14 });
  expect((await fetch(`${url}/readyz`)).status).toBe(503);
});

test.each(['/', '/nothing', '/v1betas/workspaces', '/v2/workspaces'])(
  'CFG-21: %s, where no service stands, is a 503 in plain text',
  async (path) => {
    const response = await fetch((await serveWhole({ aborted: false })) + path);
    expect(response.status).toBe(503);
    expect(response.headers.get('content-type')).toContain('text/plain');
    expect(await response.text()).toBe('upstream connect error or disconnect/reset before headers');
  },
);

test('CFG-15, CFG-21: below /v1beta an unknown path is a 404 in JSON', async () => {
  const api = await startConfigApi();
  expect(await api.call('GET', '/nothing')).toMatchObject({ status: 404, body: { code: 5 } });
});

/** The application as the router puts it together, with the Config API as its one service. */
async function serveWhole(stopping: { aborted: boolean }): Promise<string> {
  const log = new RecordingLog();
  const store = await openConfigStore({ folder: '/config', disk: memoryDisk(), log });
  const clock = stillClock(() => 0);
  const jobs = { look: () => {} };
  const evaluation = newEvaluation(clock);
  const directory = await openDirectory(store, evaluation);
  const losses = newLosses(clock, log, evaluation);
  const ports = {
    store,
    directory,
    clock,
    log,
    jobs,
    members: openMemory(),
    retentionMs: 7 * 86_400_000,
    router: { name: 'router-a:4711', settings: [] },
  };
  const parts = {
    ...ports,
    addressGuard: createAddressGuard([]),
    live: stillLive(),
    quotas: unusedQuotas(),
    losses,
    ...evaluation,
  };
  const services: Middleware[] = [createConfigApi(parts)];
  const health = createHealth({ stopping, readiness: () => Promise.resolve({}) });
  return serve(createApplication({ log, services, stopping, health }));
}
