import Koa from 'koa';
import { expect } from 'vitest';
import { bootstrap } from '../../resources/bootstrap.ts';
import { createConfigApi } from '../../resources/config-api.ts';
import type { JobRunner } from '../../jobs/runner.ts';
import type { Deliveries, Env } from '../../resources/env.ts';
import { createUnknownKeys, type UnknownKeys } from '../../losses/unknown-keys.ts';
import { createAddressGuard } from '../../delivery/address-guard.ts';
import { type AcceptedEvents, createAcceptedEvents } from '../../losses/accepted-events.ts';
import type { LiveEvents } from '../../events/live-events.ts';
import { createDroppedEvents, type DroppedEvents } from '../../losses/dropped-events.ts';
import type { Admission } from '../../http/admission.ts';
import type { UnreadAnswers } from '../../http/unread-answers.ts';
import type { RateLimit } from '../../http/allowance.ts';
import { type LossReader, ownLosses } from '../../losses/loss-reader.ts';
import { createTraffic } from '../../losses/traffic.ts';
import { createViolations, type Violations } from '../../losses/violations.ts';
import type { ConfigStore } from '../../storage/config-store.ts';
import { type Directory, openDirectory } from '../../directory/directory.ts';
import { openConfigStore } from '../../storage/file/resources/config-store.ts';
import { FaultyDisk } from './config-disk.ts';
import { createContractCheck } from './config-contract.ts';
import { stillLive } from './live-events.ts';
import { RecordingLog } from './ingestion-log.ts';
import { serve } from './served.ts';
import { SHARED_VERSION } from './shared-version.ts';
import { newEvaluation } from './evaluation.ts';
import type { Undecided } from '../../losses/undecided.ts';
import type { MemoryStorage } from '../../storage/memory/memory.ts';
import { openMemory } from './memory-storage.ts';
import { stillClock } from './still-clock.ts';
import { unusedQuotas } from './unused-quotas.ts';

export const TOKEN = 'the-first-token';
export const NOW = Date.parse('2026-11-20T12:00:00.123Z');

export interface Answer {
  readonly status: number;
  /** Parsed; every answer of this API is JSON. */
  readonly body: Record<string, unknown>;
  readonly headers: Headers;
}

export interface CallOptions {
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface ConfigApiServer {
  readonly url: string;
  readonly store: ConfigStore;
  readonly directory: Directory;
  readonly disk: FaultyDisk;
  readonly log: RecordingLog;
  readonly accepted: AcceptedEvents;
  readonly dropped: DroppedEvents;
  readonly violations: Violations;
  readonly unknownKeys: UnknownKeys;
  readonly undecided: Undecided;
  /** What the router's clock says; tests move it. */
  readonly time: { now: number };
  /** Calls below `/v1beta`; what is no text is sent as JSON. Each answer is checked against the document. */
  call(method: string, path: string, body?: unknown, options?: CallOptions): Promise<Answer>;
  /** A call that must succeed; answers its body. */
  ok(method: string, path: string, body?: unknown, options?: CallOptions): Promise<Record<string, unknown>>;
}

/** What of the API's surroundings a test brings. */
export interface ConfigApiParts {
  readonly clock?: Env['clock'];
  readonly admission?: Admission;
  readonly unread?: UnreadAnswers;
  readonly rateLimit?: RateLimit;
  readonly deliveries?: Deliveries;
  readonly jobs?: Pick<JobRunner, 'look'>;
  readonly members?: MemoryStorage;
  readonly losses?: LossReader;
  readonly live?: LiveEvents;
  readonly quotas?: Env['quotas'];
  readonly profiles?: NonNullable<Env['profiles']>;
  readonly tellings?: NonNullable<Env['tellings']>;
  readonly router?: Env['router'];
  readonly turns?: Env['turns'];
}

const contractCheck = createContractCheck();

/** The Config API over HTTP for one test, on the real store over memory, with the workspace `main` and TOKEN. */
export async function startConfigApi(
  replace: (store: ConfigStore) => ConfigStore | Promise<ConfigStore> = (store) => store,
  { jobs = { look: () => {} }, ...given }: ConfigApiParts = {},
): Promise<ConfigApiServer> {
  const [disk, log, time] = [new FaultyDisk(), new RecordingLog(), { now: NOW }];
  const clock = stillClock(() => time.now);
  const store = await openConfigStore({ folder: '/config', disk, log });
  await bootstrap({ store, clock, token: TOKEN, workspace: 'main' });
  const [dropped, violations] = [createDroppedEvents(), createViolations()];
  const unknownKeys = createUnknownKeys({ clock, log });
  const accepted = createAcceptedEvents();
  const [losses, evaluation] = [
    { accepted, dropped, violations, unknownKeys, traffic: createTraffic(clock) },
    newEvaluation(clock),
  ];
  const directory = await openDirectory(store, evaluation);
  const parts = {
    store: await replace(store),
    log,
    ...evaluation,
    live: stillLive(),
    losses: ownLosses({ ...losses, ...evaluation }, clock),
    jobs,
    directory,
    members: openMemory(),
    router: { name: 'router-a:4711', settings: [] },
    quotas: unusedQuotas(),
    retentionMs: 7 * 86_400_000,
    addressGuard: createAddressGuard([]),
    version: SHARED_VERSION,
    ...given,
  };
  // As in production: streams that are left are no news.
  const app = Object.assign(new Koa(), { silent: true })
    .use(createConfigApi(parts))
    .use((ctx) => {
      ctx.body = { passed: 'on', path: ctx.path };
    });
  const url = await serve(app);
  const call: ConfigApiServer['call'] = async (method, path, body, options) => {
    const answer = await send(method, `${url}/v1beta${path}`, body, options);
    const [pathname = ''] = path.split('?');
    expect(contractCheck({ method, path: `/v1beta${pathname}` }, answer.status, answer.body)).toBeUndefined();
    return answer;
  };
  const ok: ConfigApiServer['ok'] = async (method, path, body, options) => {
    const answer = await call(method, path, body, options);
    expect(answer).toMatchObject({ status: 200 });
    return answer.body;
  };
  const { undecided } = evaluation;
  return { url, store, directory, disk, log, ...losses, undecided, time, call, ok };
}

async function send(method: string, url: string, body: unknown, options: CallOptions = {}): Promise<Answer> {
  const headers = { authorization: `Bearer ${options.token ?? TOKEN}`, ...options.headers };
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const response = await fetch(url, { method, headers, ...(body === undefined ? {} : { body: text }) });
  const parsed: Record<string, unknown> = JSON.parse(await response.text());
  return { status: response.status, body: parsed, headers: response.headers };
}

/** A source `js` in `workspaces/main`. */
export async function withSource(api: ConfigApiServer): Promise<string> {
  const name = 'workspaces/main/sources/js';
  await api.ok('POST', '/workspaces/main/sources', { source: { name, catalog_name: 'catalog/sources/javascript' } });
  return name;
}

/** A webhooks destination below the source `js`, as the fields say. */
export async function withWebhooks(api: ConfigApiServer, fields: object = {}): Promise<string> {
  const parent = await withSource(api);
  const name = `${parent}/destinations/webhooks`;
  await api.ok('POST', `/${parent}/destinations`, { destination: { name, ...fields } });
  return name;
}

/** The error of an attempt to give a fresh webhooks destination this second hook, or these entries; 200 when there is none. */
export async function refusalOf(hook: unknown, entries?: readonly object[]): Promise<unknown> {
  const api = await startConfigApi();
  const name = await withWebhooks(api);
  const config = entries ?? [{ name: 'hooks', value: [{ hook: 'https://example.com' }, hook] }];
  const body = { destination: { config }, update_mask: { paths: ['destination.config'] } };
  const answer = await api.call('PATCH', `/${name}`, body);
  return answer.status === 400 ? answer.body['error'] : answer.status;
}
