import { setTimeout as wait } from 'node:timers/promises';
import { postBatch } from '../router/post-batch.ts';

export interface OrderTarget {
  readonly writeKey: string;
  /** Asked for each request. */
  readonly routers: () => readonly string[];
}

export interface OrderLoad {
  /** When each message was answered with 200, in the order of these answers; grows. */
  readonly accepted: ReadonlyMap<string, number>;
  /** Begins no new requests; resolves when each has been answered with 200, or given up. */
  stop(): Promise<void>;
}

/** Within a request the list is the order. */
const TOGETHER = 3;
const ANSWER_MS = 20_000;
const PAUSE_MS = 50;
/** Between the requests of a user: fewer than its line can take, so that what waits long waits for somebody. */
const BREATH_MS = 400;
const MAX_TRIES = 100;

/**
 * Sends the events of each user one request after the other, each to another router, and each again until it is answered with
 * 200: that is what makes an order of acceptance.
 */
export function startOrderLoad({ writeKey, routers }: OrderTarget, users: number): OrderLoad {
  const accepted = new Map<string, number>();
  const over = new AbortController();
  const send = async (user: number, request: number): Promise<void> => {
    const ids = Array.from({ length: TOGETHER }, (_, place) => `u${user}-${request}-${place}`);
    for (let tries = 0; !over.signal.aborted || tries < MAX_TRIES; tries += 1) {
      const urls = routers();
      const url = urls[(user + request + tries) % urls.length];
      if (url !== undefined && (await isTaken(url, writeKey, ids, `u${user}`))) {
        for (const id of ids) accepted.set(id, Date.now());
        return;
      }
      await wait(PAUSE_MS);
    }
  };
  const work = async (_: unknown, user: number): Promise<void> => {
    for (let request = 0; !over.signal.aborted; request += 1) {
      await send(user, request);
      await wait(BREATH_MS);
    }
  };
  const working = Promise.all(Array.from({ length: users }, work));
  return {
    accepted,
    async stop() {
      over.abort();
      await working;
    },
  };
}

async function isTaken(url: string, writeKey: string, ids: readonly string[], userId: string): Promise<boolean> {
  const signal = AbortSignal.timeout(ANSWER_MS);
  const answer = await postBatch(url, writeKey, ids, { signal, userId }).catch(() => undefined);
  return answer?.status === 200;
}
