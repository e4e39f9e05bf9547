import { createConfigClient } from '../../client/config/index.ts';
import { createReceiver } from '../../testbed/index.ts';
import { postBatch } from '../router/post-batch.ts';
import { connectWebhook, SOURCE } from '../crash/connection.ts';
import { arrivalsAt, DRAIN_MS, drained } from './arrivals.ts';
import { DatabasePair, urlOfPair } from './database-pair.ts';
import { Fleet } from './fleet.ts';

export interface SwitchingOptions {
  /** How often a filter that drops everything is switched on and off again. */
  readonly times: number;
  /** Sent after each change, spread over all routers. */
  readonly eventsEach: number;
  readonly routers?: number;
}

export interface SwitchingReport {
  /** Acknowledged, of those that were sent after a change had been answered. */
  readonly events: number;
  /** Ids of events that were routed by the configuration before the change. */
  readonly misrouted: readonly string[];
}

const TOKEN = 'switching-run-token-0123456789';
const DESTINATION = `${SOURCE}/destinations/webhooks`;
const BATCH = 50;

/**
 * One router after the other switches a filter on and off, and right after each answer all routers are sent events (NODE-5):
 * those that it drops must not arrive, the others must.
 */
export async function switchingRun({ times, eventsEach, routers = 3 }: SwitchingOptions): Promise<SwitchingReport> {
  await using receiver = await createReceiver({ keep: 1 });
  const arrivals = arrivalsAt(receiver);
  await using database = await DatabasePair.start();
  const given = { token: TOKEN, routers, databasePorts: database.ports, storage: urlOfPair };
  await using fleet = await Fleet.start(given);
  const { writeKey } = await connectWebhook(fleet.urls[0] ?? '', TOKEN, receiver.url);
  const clients = fleet.urls.map((baseUrl) => createConfigClient({ baseUrl, token: TOKEN }));
  const drop = { if: 'all', actions: [{ type: 'drop_event' as const }], enabled: false };
  const filter = await clients[0]?.filters.create(DESTINATION, drop);
  const sent = { dropped: new Set<string>(), kept: new Set<string>() };
  for (let change = 0; change < 2 * times; change += 1) {
    const fate = change % 2 === 0 ? 'dropped' : 'kept';
    await clients[change % routers]?.filters.update(filter?.name ?? '', { enabled: fate === 'dropped' });
    const ids = Array.from({ length: eventsEach }, (_, index) => `${fate}-${change}-${index}`);
    const batches = Array.from({ length: Math.ceil(eventsEach / BATCH) }, (_, at) =>
      ids.slice(at * BATCH, (at + 1) * BATCH),
    );
    await Promise.all(batches.map((batch, at) => send(fleet.urls[at % routers] ?? '', writeKey, batch)));
    for (const id of ids) sent[fate].add(id);
  }
  await drained(database, DRAIN_MS, () => sent.kept.isSubsetOf(arrivals));
  return {
    events: sent.kept.size + sent.dropped.size,
    misrouted: [...sent.dropped.intersection(arrivals), ...sent.kept.difference(arrivals)],
  };
}

async function send(url: string, writeKey: string, ids: readonly string[]): Promise<void> {
  const { status } = await postBatch(url, writeKey, ids);
  if (status !== 200) throw new Error(`a batch was answered ${status}`);
}
