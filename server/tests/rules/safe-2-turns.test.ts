import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { EVALUATION_STEPS } from '../../evaluation/budget.ts';
import { inSlices, inTurn, TURN_STEPS } from '../../fairness/turns.ts';
import { createUndecided } from '../../losses/undecided.ts';
import type { Event } from '../../model/message.ts';
import { countedTurns } from '../support/counted-turns.ts';
import { stillClock } from '../support/still-clock.ts';
import { HOSTILE_CONDITIONS } from '../support/hostile-definitions.ts';
import { destinationNamed, MemoryConfigStore, sourceNamed } from '../support/ingestion-config-store.ts';
import { openIngestionStorage } from '../support/ingestion-delivery-store.ts';
import { RecordingDispatcher } from '../support/ingestion-dispatcher.ts';
import { startPipeline } from '../support/pipeline.ts';
import { parseLenientJson } from '../../ingestion/lenient-json.ts';
import { startIngestion } from '../support/ingestion-server.ts';
import { MAX_MS, processorMsSince } from '../support/processor-time.ts';

const SLOW = 'workspaces/main/sources/slow';
const QUICK = 'workspaces/other/sources/quick';
const [SLOW_CONDITION = '', SLOW_EVENT] = HOSTILE_CONDITIONS['many patterns'] ?? [];

/** The pipeline, with a slow filter on one tenant's source and none on the other's. */
async function startRouter() {
  const config = new MemoryConfigStore();
  for (const source of [SLOW, QUICK]) {
    await config.create('sources', sourceNamed(source, source));
    await config.create('destinations', destinationNamed(`${source}/destinations/webhooks`));
  }
  const filter = { title: '', description: '', enabled: true, actions: [{ type: 'drop_event' } as const] };
  for (const [source, condition] of [
    [SLOW, SLOW_CONDITION],
    [QUICK, 'event = "Other"'],
  ] as const) {
    await config.create('filters', { ...filter, name: `${source}/destinations/webhooks/filters/df_1`, if: condition });
  }
  const [deliveries, counted, undecided] = [openIngestionStorage(), countedTurns(), createUndecided()];
  const dispatcher = new RecordingDispatcher();
  const clock = stillClock(() => 7);
  const ports = { config, deliveries, dispatcher, undecided, turns: counted.turns, clock };
  const { pipeline } = await startPipeline(ports);
  const state = { done: [] as string[] };
  const send = (source: string, events: number): void => {
    const batch = Array.from({ length: events }, (_, at): Event => ({ ...SLOW_EVENT, ...named(`${source}-${at}`) }));
    void pipeline.accept({ source, events: batch }).then(() => state.done.push(source));
  };
  await nextTurn();
  return { ...counted, send, state, undecided };
}

function named(messageId: string): Pick<Event, 'messageId' | 'type' | 'context' | 'timestamp' | 'receivedAt'> {
  const time = '2026-11-20T12:00:00.000Z';
  return { messageId, type: 'track', context: {}, timestamp: time, receivedAt: time };
}

test('SAFE-2: however many events are slow, no turn of the event loop takes more than its steps', async () => {
  const { send, perTurn, move, state, undecided } = await startRouter();
  for (let request = 0; request < 10; request += 1) send(SLOW, 5);
  await nextTurn();
  for (let turn = 0; turn < 200 && state.done.length < 10; turn += 1) await move();
  expect(state.done).toHaveLength(10);
  expect(Math.max(...perTurn)).toBeLessThanOrEqual(TURN_STEPS + EVALUATION_STEPS);
  expect(undecided.of(`${SLOW}/destinations/webhooks/filters/df_1`)?.count).toBe(50);
});

test("SAFE-2: one tenant's slow events hold up no other tenant's", async () => {
  const { send, move, state } = await startRouter();
  send(SLOW, 40);
  await nextTurn();
  send(QUICK, 3);
  await nextTurn();
  await move();
  await move();
  expect(state.done).toEqual([QUICK]);
});

test("SAFE-2: however many batches of slow events a tenant sends at once, each of another's waits for one turn of it", async () => {
  const { send, move, state } = await startRouter();
  for (let request = 0; request < 40; request += 1) send(SLOW, 40);
  await nextTurn();
  for (let request = 0; request < 3; request += 1) send(QUICK, 3);
  await nextTurn();
  for (let turn = 0; turn < 6; turn += 1) await move();
  expect(state.done).toEqual([QUICK, QUICK, QUICK]);
});

test('SAFE-2: a batch of ordinary events is taken within one turn', async () => {
  const { send, perTurn, state } = await startRouter();
  send(QUICK, 100);
  await nextTurn();
  expect([state.done, perTurn.length]).toEqual([[QUICK], 1]);
  expect(perTurn[0]).toBeLessThan(TURN_STEPS / 10);
});

test('SAFE-2: who waits goes on in order, one in each turn, and what is in slices leaves turns between', async () => {
  const { turns, move } = countedTurns();
  turns.spent(TURN_STEPS);
  const order: string[] = [];
  for (const name of ['a', 'b']) void inTurn(turns, () => order.push(name));
  await nextTurn();
  expect(order).toEqual([]);
  await move();
  expect(order).toEqual(['a']);
  await move();
  expect(order).toEqual(['a', 'b']);
  function* slices(): Generator<number, void> {
    for (const name of ['c', 'd']) {
      order.push(name);
      yield TURN_STEPS;
    }
  }
  const sliced = inSlices(turns, slices());
  await nextTurn();
  expect(order.at(-1)).toBe('c');
  await move();
  await move();
  await sliced;
  expect(order.at(-1)).toBe('d');
});

test('SAFE-2: ids beyond 2^53 in a large body cost no second reading value by value', () => {
  const list = '0,'.repeat(240_000);
  const text = `{"batch":[{"userId":123456789012345678901,"properties":{"l":[${list}0]}}]}`;
  let best = Infinity;
  for (let run = 0; run < 4; run += 1) {
    const before = process.threadCpuUsage();
    expect(parseLenientJson(text)).toMatchObject({ batch: [{ userId: '123456789012345678901' }] });
    best = Math.min(best, processorMsSince(before));
  }
  expect(best).toBeLessThan(MAX_MS);
});

test('SAFE-2: large bodies that come together wait for their turns, and are all taken', async () => {
  const { post, store } = await startIngestion();
  const event = { type: 'track', userId: 'u', event: 'e', properties: { x: 'a'.repeat(30_000) } };
  const body = { batch: Array.from({ length: 10 }, () => event) };
  const answers = await Promise.all(Array.from({ length: 5 }, () => post('/v1/batch', body)));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  expect(store.events).toHaveLength(50);
});
