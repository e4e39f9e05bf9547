import { Readable } from 'node:stream';
import Koa from 'koa';
import * as undici from 'undici';
import { bootstrap } from '../../resources/bootstrap.ts';
import { createConfigApi } from '../../resources/config-api.ts';
import type { Env } from '../../resources/env.ts';
import { createAddressGuard } from '../../delivery/address-guard.ts';
import { stillLive } from '../support/live-events.ts';
import { openDirectory } from '../../directory/directory.ts';
import { openConfigStore } from '../../storage/file/resources/config-store.ts';
import { NOW, TOKEN } from '../support/config-api.ts';
import { memoryDisk } from '../support/config-disk.ts';
import { RecordingLog } from '../support/ingestion-log.ts';
import type { CheckedAnswer } from './contract-document.ts';
import { type DeliveryLog, openDeliveryLog } from './delivery-log.ts';
import { switchedRateLimit, switchedStore, type Switches } from './switched-store.ts';
import { serve } from '../support/served.ts';
import { newEvaluation, newLosses } from '../support/evaluation.ts';
import { openMemory } from '../support/memory-storage.ts';
import { oneProfile } from '../support/one-profile.ts';
import { SHARED_VERSION } from '../support/shared-version.ts';
import type { Clock } from '../../ports/clock.ts';
import { stillClock } from '../support/still-clock.ts';
import { unusedQuotas } from '../support/unused-quotas.ts';

const ARCHIVE = 'application/x-tar';
const EVENT_STREAM = 'text/event-stream';

export interface Request {
  readonly method: string;
  /** From `/v1beta` on, with its query. */
  readonly path: string;
  /** As it goes over the wire; undefined sends none. */
  readonly body?: string | undefined;
  /** The first token of the router goes along when these name no other; null sends none. */
  readonly token?: string | null | undefined;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface WorldAnswer extends CheckedAnswer {
  /** An object: every answer of this API is one. */
  readonly body: Readonly<Record<string, unknown>>;
}

/** The router's Config API over real HTTP for one test, on the real store over memory. */
export interface World {
  readonly gate: Switches;
  /** Undefined in a world that keeps no log of deliveries, and no profiles. */
  readonly deliveries: DeliveryLog | undefined;
  readonly send: (request: Request) => Promise<WorldAnswer>;
}

export interface WorldOptions {
  readonly keepsLog?: boolean;
  readonly profiles?: NonNullable<Env['profiles']>;
  readonly clock?: Clock;
}

export async function startWorld({
  keepsLog = false,
  profiles = oneProfile(),
  clock = stillClock(() => NOW),
}: WorldOptions = {}): Promise<World> {
  const log = new RecordingLog();
  const current = await openConfigStore({ folder: '/config', disk: memoryDisk(), log });
  await bootstrap({ store: current, clock, token: TOKEN, workspace: 'main' });
  const gate: Switches = { current, failure: undefined, sparesTokens: false, isRateOver: false };
  const store = switchedStore(gate);
  const deliveries = keepsLog ? await openDeliveryLog(clock, log) : undefined;
  const [evaluation, memory] = [newEvaluation(clock), openMemory()];
  await memory.join({ now: 0 });
  const api = createConfigApi({
    version: SHARED_VERSION,
    store,
    log,
    live: stillLive(),
    losses: newLosses(clock, log, evaluation),
    members: memory,
    router: { name: 'nobody:1', settings: [] },
    quotas: unusedQuotas(),
    retentionMs: 7 * 86_400_000,
    ...evaluation,
    rateLimit: switchedRateLimit(() => gate.isRateOver),
    // Nobody works on regulations here, so that they stay as they were made.
    jobs: { look: (kind) => (kind === 'replays' ? deliveries?.jobs.look(kind) : undefined) },
    directory: await openDirectory(current, evaluation),
    addressGuard: createAddressGuard([]),
    ...(deliveries === undefined
      ? {}
      : {
          deliveries: deliveries.deliveries,
          profiles,
          tellings: memory,
          backup: async () => Readable.from([Buffer.alloc(1_024)]),
        }),
  });
  const url = await serve(Object.assign(new Koa(), { silent: true }).use(api));
  return { gate, deliveries, send: (request) => send(url, request) };
}

async function send(url: string, { method, path, body, token, headers }: Request): Promise<WorldAnswer> {
  const authorization = token === null ? {} : { authorization: `Bearer ${token ?? TOKEN}` };
  // Some operations take the body of a GET, which fetch refuses to send.
  const answer = await undici.request(url + path, {
    method: method.toUpperCase(),
    headers: { ...authorization, ...headers },
    body: body ?? null,
  });
  const type = String(answer.headers['content-type']);
  const text = type.startsWith(EVENT_STREAM) ? await firstMessage(answer.body) : await answer.body.text();
  return { status: answer.statusCode, type, body: type === ARCHIVE ? {} : parsed(text, method, path) };
}

/** The data of the first message of a stream, which is then left. */
async function firstMessage(body: AsyncIterable<Buffer>): Promise<string> {
  let text = '';
  for await (const chunk of body) {
    text += chunk.toString();
    const [, data] = /^data: (.*)\n\n/.exec(text) ?? [];
    if (data !== undefined) return data;
  }
  throw new Error(`a stream ended before its first message: ${text}`);
}

function parsed(text: string, method: string, path: string): Record<string, unknown> {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new Error(`${method} ${path} answered what is not JSON: ${text.slice(0, 200)}`, { cause });
  }
}
