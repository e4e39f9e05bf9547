import { StallWatch } from '../../delivery/stall-watch.ts';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { createWaitingQueues } from '../../delivery/waiting-queues.ts';
import { openCircuits } from '../../delivery/open-circuits.ts';
import { Dispatcher } from '../../delivery/dispatcher.ts';
import { DEFAULT_POLICY } from '../../model/policy.ts';
import type { Event } from '../../model/message.ts';
import { replays } from '../../jobs/replays.ts';
import { JobRunner } from '../../jobs/runner.ts';
import type { SqliteStorage } from '../../storage/file/deliveries/sqlite-storage.ts';
import { type Endpoint, SimulatedTransport } from '../../../testbed/simulation/simulated-transport.ts';
import { VirtualClock } from '../../../testbed/simulation/virtual-clock.ts';
import { type ConfigApiServer, NOW, startConfigApi, withWebhooks } from './config-api.ts';
import { eventOf } from './engine.ts';
import { RecordingLog } from './ingestion-log.ts';
import { oneProfile } from './one-profile.ts';
import { startPipeline } from './pipeline.ts';
import { openSqliteHere } from './sqlite-here.ts';

/** The Config API over HTTP, the production engine and SQLite; only time and the receivers are simulated. */
export interface DeliveryWorld {
  readonly api: ConfigApiServer;
  readonly clock: VirtualClock;
  readonly transport: SimulatedTransport;
  readonly store: SqliteStorage;
  /** Full name of the webhooks destination. */
  readonly destination: string;
  /** Accepts an event as ingestion does. */
  readonly send: (event: Partial<Event>) => Promise<void>;
  /** Moves the time of engine and API. */
  readonly advance: (ms: number) => Promise<void>;
  /** Reads below the destination, with its slash: `/deliveries?state=failed`. */
  readonly get: (path: string) => Promise<Json>;
  readonly post: (path: string, body?: object) => Promise<Json>;
  /** Waits until the newest delivery that the query chooses is in this state; answers its story. */
  readonly until: (state: string, query?: string) => Promise<Json>;
}

/** What a test reads of an answer; the contract check has seen its shape. */
// oxlint-disable-next-line typescript/no-explicit-any -- paths into answers stay readable
export type Json = Record<string, any>;

export async function startDeliveryWorld(endpoint: Endpoint, config: object[] = hooks()): Promise<DeliveryWorld> {
  const [clock, log] = [new VirtualClock(NOW), new RecordingLog()];
  const store = await openSqliteHere(join(newFolder(), 'deliveries.sqlite'));
  onTestFinished(() => store.close());
  const transport = new SimulatedTransport(clock, endpoint);
  const wake = (destination: string): void => dispatcher.wake(destination);
  const queues = createWaitingQueues({
    store,
    openCircuits: async (_name, destinations) => {
      const circuits = openCircuits(dispatcher.queues, destinations);
      return { circuits, count: circuits.length };
    },
    clock,
  });
  const jobs = new JobRunner({ storage: store, clock, log }, [replays({ storage: store, clock, log, wake })]);
  onTestFinished(() => jobs.stop());
  const api = await startConfigApi(undefined, {
    deliveries: { log: store, storage: store, wake, queues },
    tellings: store,
    profiles: oneProfile(),
    // Nobody works on regulations here.
    jobs: { look: (kind) => (kind === 'replays' ? jobs.look(kind) : undefined) },
  });
  const destination = await withWebhooks(api, { enabled: true, config });
  const targets = api.directory.target;
  const ports = { policy: DEFAULT_POLICY, clock, random: () => 1, transport, targets, log, store, members: store };
  const dispatcher = new Dispatcher({ ...ports, stalls: new StallWatch(clock) });
  onTestFinished(async () => {
    const stopped = dispatcher.stop(0);
    await clock.advance(DEFAULT_POLICY.deadlineMs);
    await stopped;
  });
  await dispatcher.start(await store.join({ now: clock.steady() }));
  const { pipeline } = await startPipeline({ config: api.store, deliveries: store, dispatcher, clock });
  const get: DeliveryWorld['get'] = (path) => api.ok('GET', `/${destination}${path}`);
  return {
    api,
    clock,
    transport,
    store,
    destination,
    get,
    post: (path, body) => api.ok('POST', `/${destination}${path}`, body),
    send: async (event) => {
      const source = destination.slice(0, destination.indexOf('/destinations/'));
      await pipeline.accept({ source, events: [eventOf(clock.now(), event)] });
    },
    advance: async (ms) => {
      await clock.advance(ms);
      api.time.now = clock.now();
    },
    until: async (state, query = '') => {
      const newest = async (): Promise<Json> => {
        // Answers that come at once still wait for the clock to be moved.
        await clock.advance(0);
        return (await get(`/deliveries${query}`))['deliveries'][0] ?? {};
      };
      await expect.poll(async () => (await newest())['state'], { interval: 5 }).toBe(state);
      return api.ok('GET', `/${(await newest())['name']}`);
    },
  };
}

/** The config of a destination with these URLs. */
export function hooks(...urls: string[]): object[] {
  const value = (urls.length === 0 ? ['https://a.test/hook'] : urls).map((hook) => ({ hook }));
  return [{ name: 'hooks', value }];
}

export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'waybill-deliveries-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
