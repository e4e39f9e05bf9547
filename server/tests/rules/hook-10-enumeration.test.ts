import { expect, test } from 'vitest';
import { type SimulatedAnswer, answers } from '../../../testbed/simulation/simulated-transport.ts';
import type { StoredDelivery } from '../../storage/memory/rows.ts';
import { classOf, type OutcomeClass } from '../../model/outcome.ts';
import type { Failure } from '../../ports/transport.ts';
import { type Engine, startEngine, targetOf } from '../support/engine.ts';

const HOUR = 3_600_000;
const WEBHOOKS = ['https://w0.test/', 'https://w1.test/', 'https://w2.test/', 'https://w3.test/', 'https://w4.test/'];

/** What a webhook does the first time; what failed for a while succeeds in the third round. */
const FIRST: readonly { readonly answer: SimulatedAnswer; readonly class: OutcomeClass }[] = [
  { answer: answers(200), class: 'success' },
  { answer: answers(503), class: 'temporary' },
  { answer: { afterMs: HOUR, result: answers(200).result }, class: 'temporary' },
  { answer: failed('reset'), class: 'temporary' },
  { answer: answers(404), class: 'permanent' },
  { answer: failed('tls_untrusted'), class: 'permanent' },
];

/** Every first round of five webhooks with six outcomes each: 7 776 messages, named by their outcomes. */
const ROUNDS = Array.from({ length: FIRST.length ** WEBHOOKS.length }, (_, n) => n.toString(6).padStart(5, '0'));

/** As many as are in flight at once: what a signal costs grows with all that listen to it. */
const WORLD = FIRST.length ** 3;

test('HOOK-10, HOOK-9, HOOK-18: all 7 776 first rounds keep the rules', async () => {
  const seen = new Set<string>();
  for (let from = 0; from < ROUNDS.length; from += WORLD) {
    const engine = await startAll(ROUNDS.slice(from, from + WORLD));
    await engine.clock.advance(1);
    expect(engine.store.deliveries.filter(isInconsistent(engine.clock.now()))).toEqual([]);
    await engine.clock.advance(6_000);
    expect(engine.store.deliveries.filter(isInconsistent(engine.clock.now()))).toEqual([]);
    await engine.clock.advance(5 * HOUR);

    const faults = engine.store.deliveries.flatMap((delivery) => faultsOf(delivery, engine));
    expect(faults.slice(0, 5)).toEqual([]);
    for (const { message } of engine.store.deliveries) seen.add(message.event.messageId);
  }
  expect(seen.size).toBe(7_776);
});

test('HOOK-10: the checks find a delivery that breaks the rules', async () => {
  const engine = await startAll(ROUNDS.slice(0, 1));
  await engine.clock.advance(HOUR);
  const [good] = engine.store.deliveries;
  if (good === undefined) throw new Error('nothing was stored');
  expect(faultsOf(good, engine)).toEqual([]);
  expect(faultsOf({ ...good, state: 'failed' }, engine)).not.toEqual([]);
  const [first] = good.attempts;
  if (first === undefined) throw new Error('nothing was tried');
  const late = { ...first, startedAt: first.startedAt + 1_000 };
  expect(faultsOf({ ...good, attempts: [...good.attempts, late] }, engine)).not.toEqual([]);
  expect([{ ...good, state: 'pending' as const, dueAt: 0 }].filter(isInconsistent(HOUR))).toHaveLength(1);
});

async function startAll(rounds: readonly string[]): Promise<Engine> {
  const seen = new Map<string, number>();
  const policy = {
    parkAfter: Infinity,
    perDestination: 10_000,
    rampStart: 10_000,
    inFlight: 10_000,
    queueRoom: 10_000,
  };
  const engine = await startEngine(
    ({ request }) => {
      const id = messageIdIn(request.body);
      const round = (seen.get(id + request.url) ?? 0) + 1;
      seen.set(id + request.url, round);
      return round < 3 ? behavior(id, request.url).answer : answers(200);
    },
    { policy, target: targetOf(...WEBHOOKS) },
  );
  for (const messageId of rounds) await engine.send({ messageId });
  return engine;
}

/** Between rounds an unfinished delivery has exactly one due time, in the future; within one it has none. */
function isInconsistent(now: number): (delivery: StoredDelivery) => boolean {
  return ({ state, dueAt }) => state === 'pending' && dueAt <= now;
}

function faultsOf(delivery: StoredDelivery, { clock }: Engine): string[] {
  const { attempts, message, round } = delivery;
  const id = message.event.messageId;
  const start = message.receivedAt;
  const successes = attempts.filter((attempt) => classOf(attempt.outcome) === 'success');
  const firstSuccess = Math.min(...successes.map((attempt) => attempt.startedAt + attempt.durationMs));
  const closed = attempts.filter((attempt) => classOf(attempt.outcome) === 'permanent');
  const fault = (broken: boolean, words: string): string[] => (broken ? [`${id}: ${words}`] : []);
  return [
    ...fault((delivery.state === 'delivered') !== successes.length > 0, 'delivered without a success, or the reverse'),
    ...fault(
      attempts.some((attempt) => attempt.startedAt > firstSuccess),
      'tried again after a success',
    ),
    ...fault(
      attempts.some((attempt) => attempt.startedAt >= start + 4 * HOUR),
      'tried after the window',
    ),
    ...fault(closed.length !== new Set(closed.map((attempt) => attempt.webhook)).size, 'tried again after a refusal'),
    ...fault(Math.max(...counts(attempts.map((attempt) => attempt.webhook))) > round, 'tried more often than counted'),
    ...fault(delivery.state === 'pending' || delivery.state === 'trying', `unfinished at ${clock.now()}`),
    ...fault((delivery.state === 'failed') !== /^[45]+$/.test(id), 'failed by no refusals'),
  ];
}

function counts(values: readonly string[]): number[] {
  return [...Map.groupBy(values, (value) => value).values()].map((group) => group.length);
}

function behavior(id: string, url: string): (typeof FIRST)[number] {
  const digit = Number(id[WEBHOOKS.indexOf(url)]);
  const found = FIRST[digit];
  if (found === undefined) throw new Error(`${id} names no outcome for ${url}`);
  return found;
}

function messageIdIn(body: Uint8Array): string {
  const { messageId }: { messageId: string } = JSON.parse(Buffer.from(body).toString('utf8'));
  return messageId;
}

function failed(failure: Failure): SimulatedAnswer {
  return { result: { kind: 'failed', failure, detail: '' } };
}
