import { setTimeout as wait } from 'node:timers/promises';
import type { Random } from '../../server/ports/random.ts';
import { postBatch } from '../router/post-batch.ts';

export interface Target {
  readonly writeKey: string;
  /** The addresses of the routers that a load balancer would try, in any order; asked for each request. */
  readonly routers: () => readonly string[];
}

/** What senders were promised. */
export interface Acknowledged {
  /** Of the messages that were answered with 200. */
  readonly ids: ReadonlySet<string>;
  /** Requests that were not answered with 200, by status, or by what went wrong. */
  readonly refused: ReadonlyMap<string, number>;
}

export interface Load {
  readonly acknowledged: Acknowledged;
  /** Begins no new requests; resolves when each has been answered with 200, or given up. */
  stop(): Promise<void>;
}

const SENDERS = 6;
/** Half of the senders send single events, as browsers and phones do. */
const BATCH = 20;
const ANSWER_MS = 20_000;
const PAUSE_MS = 100;
/** So often a request is tried again once the load is to end. */
const MAX_TRIES = 50;
/** Between requests: the point is many faults, not many events. */
const BREATH_MS = 10;

/** Sends events without pause, and each again with its message ids, to any router, until it is answered with 200: as SDKs do. */
export function startLoad({ writeKey, routers }: Target, random: Random): Load {
  const acknowledged = new Set<string>();
  const refused = new Map<string, number>();
  const over = new AbortController();
  const send = async (ids: readonly string[]): Promise<void> => {
    for (let tries = 0; !over.signal.aborted || tries < MAX_TRIES; tries += 1) {
      const urls = routers();
      const url = urls[Math.floor(random() * urls.length)];
      const answer = url === undefined ? 'no router' : await post(url, writeKey, ids);
      if (answer === '200') {
        for (const id of ids) acknowledged.add(id);
        return;
      }
      refused.set(answer, (refused.get(answer) ?? 0) + 1);
      await wait(PAUSE_MS);
    }
  };
  const work = async (_: unknown, sender: number): Promise<void> => {
    const size = sender % 2 === 0 ? 1 : BATCH;
    for (let request = 0; !over.signal.aborted; request += 1) {
      await send(Array.from({ length: size }, (__, index) => `f-${sender}-${request}-${index}`));
      await wait(BREATH_MS);
    }
  };
  const working = Promise.all(Array.from({ length: SENDERS }, work));
  return {
    acknowledged: { ids: acknowledged, refused },
    async stop() {
      over.abort();
      await working;
    },
  };
}

/** The status, or the name of what went wrong. */
async function post(url: string, writeKey: string, ids: readonly string[]): Promise<string> {
  try {
    const { status } = await postBatch(url, writeKey, ids, { signal: AbortSignal.timeout(ANSWER_MS) });
    return String(status);
  } catch (error) {
    return error instanceof DOMException ? error.name : 'no answer';
  }
}
