import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { postBatch } from '../router/post-batch.ts';

/** Long enough for a router to join again on a busy machine. */
export const HEARS_WITHIN_MS = 60_000;
const BETWEEN_MS = 250;
const ANSWER_MS = 20_000;

/**
 * Those of the routers that take no event although everything is whole, each with its last answer. Senders that try another router
 * until one answers 200 would never tell.
 */
export async function deafRouters(urls: readonly string[], writeKey: string, withinMs: number): Promise<string[]> {
  const until = Date.now() + withinMs;
  const heard = await Promise.all(urls.map((url) => hears(url, writeKey, until)));
  return heard.filter((answer) => answer !== undefined);
}

async function hears(url: string, writeKey: string, until: number): Promise<string | undefined> {
  for (;;) {
    const signal = AbortSignal.timeout(ANSWER_MS);
    const answer = await postBatch(url, writeKey, [randomUUID()], { signal }).catch(String);
    if (typeof answer !== 'string' && answer.status === 200) return undefined;
    if (Date.now() > until) return `${url} takes no event: ${typeof answer === 'string' ? answer : answer.text}`;
    await wait(BETWEEN_MS);
  }
}
