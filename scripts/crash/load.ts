import { setTimeout as wait } from 'node:timers/promises';
import { postBatch } from '../router/post-batch.ts';
import type { RouterProcess } from '../router/router-process.ts';

const SENDERS = 4;
const BATCH = 5;
const AGAIN_MS = 50;

/** Sends batches without pause until the router is gone; adds the ids of those that were answered 200. */
export async function sendUntilGone(
  { url }: RouterProcess,
  writeKey: string,
  run: string,
  acknowledged: Set<string>,
): Promise<void> {
  await Promise.all(
    Array.from({ length: SENDERS }, async (_, sender) => {
      for (let request = 0; ; request += 1) {
        const ids = Array.from({ length: BATCH }, (__, index) => `${run}-${sender}-${request}-${index}`);
        if (!(await sendBatch(url, writeKey, ids))) return;
        for (const id of ids) acknowledged.add(id);
      }
    }),
  );
}

/** True once the batch was answered 200; false when the router did not answer. */
async function sendBatch(url: string, writeKey: string, ids: readonly string[]): Promise<boolean> {
  try {
    const { status, text } = await postBatch(url, writeKey, ids);
    // Where its storage does not answer in time, a router takes nothing: a sender sends it again.
    if (status === 503) {
      await wait(AGAIN_MS);
      return await sendBatch(url, writeKey, ids);
    }
    if (status !== 200) throw new Error(`a batch was answered ${status}: ${text}`);
    return true;
  } catch (error) {
    if (error instanceof TypeError) return false;
    throw error;
  }
}
