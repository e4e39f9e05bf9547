import type { ChildProcess } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import { ask, startChild, urlOf } from './child.ts';
import { inFolder } from './folder.ts';
import { destinationName } from './names.ts';
import { type BenchRouter, startRouter } from './processes/bench-router.ts';

const BATCH = 500;
const BETWEEN_LOOKS_MS = 100;

export interface FirstSync {
  readonly perSecond: number;
  /** Processor time of the router for each member. */
  readonly processorUs: number;
}

/** Of so many members to a receiver that answers at once, from the first call that it hears to the last. */
export function firstSync(members: number): Promise<FirstSync> {
  return inFolder(async (folder) => {
    const receiver = startChild('./fast-receiver.ts');
    await using router = await startRouter(folder);
    const [writeKey = ''] = await router.connect([await urlOf(receiver)]);
    // From here on profiles are kept.
    await create(router, 'Nobody', 'none');
    await identifyAll(router, writeKey, members);
    await until(receiver, members);
    await create(router, 'Everybody', 'pro');
    await until(receiver, members + 1);
    const [startedAt, first, before] = [performance.now(), await countOf(receiver), await router.processorMs()];
    await until(receiver, 2 * members);
    const [left, seconds] = [2 * members - first, (performance.now() - startedAt) / 1_000];
    receiver.disconnect();
    return { perSecond: left / seconds, processorUs: (((await router.processorMs()) - before) * 1_000) / left };
  });
}

/** Who has this plan. */
async function create({ config }: BenchRouter, display_name: string, plan: string): Promise<void> {
  const definition = { trait: 'plan', is: { eq: plan } };
  await config.audiences.create('workspaces/main', { display_name, definition, destinations: [destinationName(0)] });
}

/** Each user says once who it is, of the plan `pro` if nothing else; the destination hears it too. */
export async function identifyAll(
  { url }: BenchRouter,
  writeKey: string,
  members: number,
  traitsOf: (user: number) => object = () => ({ plan: 'pro' }),
): Promise<void> {
  for (let from = 0; from < members; from += BATCH) {
    const count = Math.min(BATCH, members - from);
    const batch = Array.from({ length: count }, (_one, index) => {
      return { type: 'identify', userId: `user-${from + index}`, traits: traitsOf(from + index) };
    });
    const answer = await fetch(`${url}/v1/batch`, { method: 'POST', body: JSON.stringify({ writeKey, batch }) });
    if (!answer.ok) throw new Error(`a batch was answered ${answer.status}: ${await answer.text()}`);
    await answer.body?.cancel();
  }
}

async function countOf(receiver: ChildProcess): Promise<number> {
  return (await ask<{ readonly count: number }>(receiver, {})).count;
}

async function until(receiver: ChildProcess, count: number): Promise<void> {
  while ((await countOf(receiver)) < count) await wait(BETWEEN_LOOKS_MS);
}
