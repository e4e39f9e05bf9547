import { setTimeout as wait } from 'node:timers/promises';
import { postBatch } from '../router/post-batch.ts';
import type { OrderTarget } from './order-load.ts';

export interface RateLoad {
  /** What was answered with 200; grows. */
  readonly accepted: ReadonlySet<string>;
  /** Begins no new requests; resolves when each has been answered with 200, or given up. */
  stop(): Promise<void>;
}

const TOGETHER = 5;
const ANSWER_MS = 20_000;
const PAUSE_MS = 50;
const MOST_TRIES = 100;

/** Sends so many events per second, to one router after the other, and each again until it is answered with 200. */
export function startRateLoad({ writeKey, routers }: OrderTarget, perSecond: number): RateLoad {
  const accepted = new Set<string>();
  const over = new AbortController();
  const send = async (request: number): Promise<void> => {
    const ids = Array.from({ length: TOGETHER }, (_, place) => `r${request}-${place}`);
    for (let tries = 0; tries < MOST_TRIES; tries += 1) {
      const urls = routers();
      const url = urls[(request + tries) % urls.length];
      const signal = AbortSignal.timeout(ANSWER_MS);
      const answer =
        url === undefined ? undefined : await postBatch(url, writeKey, ids, { signal }).catch(() => undefined);
      if (answer?.status === 200) {
        for (const id of ids) accepted.add(id);
        return;
      }
      await wait(PAUSE_MS);
    }
  };
  const sending: Promise<void>[] = [];
  const work = async (): Promise<void> => {
    for (let request = 0; !over.signal.aborted; request += 1) {
      sending.push(send(request));
      await wait((1_000 * TOGETHER) / perSecond);
    }
  };
  const working = work();
  return {
    accepted,
    async stop() {
      over.abort();
      await working;
      await Promise.all(sending);
    },
  };
}
