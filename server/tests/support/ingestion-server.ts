import Koa from 'koa';
import { onTestFinished } from 'vitest';
import type { Admission, Stay } from '../../http/admission.ts';
import { createClientAddresses } from '../../http/client-addresses.ts';
import { behind, type Front } from '../../http/application.ts';
import { listen } from '../../http/listener.ts';
import type { AcceptedEvents } from '../../losses/accepted-events.ts';
import type { DroppedEvents } from '../../losses/dropped-events.ts';
import { createIngestionApi } from '../../ingestion/ingestion-api.ts';
import type { UnknownKeys } from '../../losses/unknown-keys.ts';
import type { Event } from '../../model/message.ts';
import { systemClock } from '../../system-clock.ts';
import type { CallPorts } from '../../ingestion/call-handlers.ts';
import { destinationNamed, MemoryConfigStore, sourceNamed } from './ingestion-config-store.ts';
import { type IngestionStorage, openIngestionStorage } from './ingestion-delivery-store.ts';
import { RecordingDispatcher } from './ingestion-dispatcher.ts';
import type { RecordingLog } from './ingestion-log.ts';
import { startPipeline } from './pipeline.ts';
import { stillClock } from './still-clock.ts';

export const WRITE_KEY = 'k'.repeat(32);
export const SOURCE = 'workspaces/main/sources/js';
export const DESTINATION = `${SOURCE}/destinations/webhooks`;

/** When every request arrives. */
export const NOW = Date.parse('2026-11-20T12:00:00.000Z');

export interface Answer {
  readonly status: number;
  readonly type: string;
  readonly body: unknown;
}

export interface IngestionServer {
  readonly url: string;
  readonly config: MemoryConfigStore;
  readonly store: IngestionStorage;
  readonly dispatcher: RecordingDispatcher;
  readonly accepted: AcceptedEvents;
  readonly dropped: DroppedEvents;
  readonly log: RecordingLog;
  /** Sends a body; what is no text is written as JSON. The key of the one source goes along unless headers are given. */
  readonly post: (path: string, body: unknown, headers?: Readonly<Record<string, string>>) => Promise<Answer>;
  /** Sends one batch with the key, and gives the events that are stored after it. */
  readonly events: (...batch: unknown[]) => Promise<readonly Event[]>;
}

const NOTHING: Stay = { read() {}, receive() {}, hold() {}, begin() {}, end() {} };
const UNCOUNTED: Admission = { enter: () => NOTHING };

/** Serves ingestion over HTTP for one test, with one source, one webhooks destination, and stores in memory. */
export async function startIngestion(
  replace?: CallPorts['pipeline'],
  admission: Admission = UNCOUNTED,
  unknownKeys?: UnknownKeys,
  publicUrl?: string,
  stopping?: Pick<AbortSignal, 'aborted'>,
): Promise<IngestionServer> {
  const config = new MemoryConfigStore();
  await config.create('sources', sourceNamed(SOURCE, WRITE_KEY));
  await config.create('destinations', destinationNamed(DESTINATION));
  const [store, dispatcher] = [openIngestionStorage(), new RecordingDispatcher()];
  const clock = stillClock(() => NOW);
  const { pipeline, directory, turns, accepted, dropped, log } = await startPipeline({
    config,
    deliveries: store,
    dispatcher,
    clock,
  });
  const addresses = createClientAddresses([]);
  const front = createIngestionApi({
    directory,
    pipeline: replace ?? pipeline,
    admission,
    addresses,
    clock,
    log,
    unknownKeys,
    turns,
    publicUrl,
    usedIds: store,
    ...(stopping === undefined ? {} : { stopping }),
  });
  const url = await serve(front);
  const post: IngestionServer['post'] = (path, body, headers = basic(WRITE_KEY)) => send(url + path, body, headers);
  const events: IngestionServer['events'] = async (...batch) => {
    await post('/v1/batch', { batch });
    return store.events;
  };
  return { url, config, store, dispatcher, accepted, dropped, log, post, events };
}

export function basic(user: string): Record<string, string> {
  return { authorization: `Basic ${Buffer.from(`${user}:`).toString('base64')}` };
}

async function serve(front: Front): Promise<string> {
  const others = new Koa().use((ctx) => {
    ctx.body = { passed: 'on' };
  });
  const place = {
    host: '127.0.0.1',
    port: 0,
    maxConnections: 1_000,
    headersTimeoutMs: 60_000,
    requestTimeoutMs: 60_000,
    responseTimeoutMs: 60_000,
  };
  const listener = await listen(behind(front, others), place, systemClock);
  onTestFinished(() => listener.close(0));
  return listener.url;
}

async function send(url: string, body: unknown, headers: Readonly<Record<string, string>>): Promise<Answer> {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const response = await fetch(url, { method: 'POST', body: text, headers: { ...headers } });
  const type = response.headers.get('content-type') ?? '';
  return { status: response.status, type, body: await response.json() };
}
