import { setTimeout as wait } from 'node:timers/promises';
import type { ConfigClient } from '../../../client/config/index.ts';

/** How long each request of a kind took, in milliseconds. */
export interface Probes {
  readonly health: readonly number[];
  readonly read: readonly number[];
  readonly write: readonly number[];
}

const BETWEEN_MS = 20;

/** Asks for health, reads a source and changes it, each again and again, until `signal` aborts. */
export async function probe(url: string, client: ConfigClient, source: string, signal: AbortSignal): Promise<Probes> {
  const [health, read, write] = await Promise.all([
    repeatedly(signal, async () => void (await (await fetch(`${url}/healthz`)).text())),
    repeatedly(signal, () => client.sources.get(source)),
    repeatedly(signal, (time) => client.sources.update(source, { display_name: `time ${time}` })),
  ]);
  return { health, read, write };
}

async function repeatedly(signal: AbortSignal, ask: (time: number) => Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  while (!signal.aborted) {
    const startedAt = performance.now();
    await ask(times.length);
    times.push(performance.now() - startedAt);
    await wait(BETWEEN_MS);
  }
  return times;
}
