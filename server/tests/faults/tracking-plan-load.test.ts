import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { MemoryConfigStore, sourceNamed } from '../support/ingestion-config-store.ts';
import { openIngestionStorage } from '../support/ingestion-delivery-store.ts';
import { RecordingDispatcher } from '../support/ingestion-dispatcher.ts';
import { startPipeline } from '../support/pipeline.ts';
import { stillClock } from '../support/still-clock.ts';
import { judge, orderPlan, PLAN, planWith, told, trackOf } from '../support/tracking.ts';

const SOURCE = 'workspaces/main/sources/js';

/** A list within a list, and so on. */
function deep(inner: unknown): unknown {
  return many(5_000, () => 0).reduce<unknown>((item) => [item], inner);
}

function many<Value>(count: number, make: (at: number) => Value): Value[] {
  return Array.from({ length: count }, (_, at) => make(at));
}

test.each([1_700, 1_900, 2_100])('D-46: a rule that names %i fields in one place costs no event', (count) => {
  const dependencies = Object.fromEntries(many(count, (at) => [`k${at}`, ['z']]));
  const { blocked, violations } = judge(trackOf({ k1: 1 }), orderPlan({ dependencies }));
  expect([blocked, violations.length]).toEqual([undefined, 1]);
  expect(violations[0]?.kind).toMatch(/^(required_missing|plan_unusable)$/);
});

test('D-46: items nested ever so deep are told apart', () => {
  const rules = orderPlan({ properties: { list: { uniqueItems: true } } });
  expect(told(judge(trackOf({ list: [deep(1), deep(2)] }), rules))).toEqual([]);
  expect(told(judge(trackOf({ list: [deep(1), deep(1)] }), rules))).toEqual([
    'value_not_allowed properties.list allowed',
  ]);
});

test('D-46: a batch that is slow to check leaves turns to others', async () => {
  const config = new MemoryConfigStore();
  const slow = { items: { anyOf: many(200, (at) => ({ const: `x${at}` })).concat([{ const: 'y' }]) } };
  await config.create('sources', { ...sourceNamed(SOURCE, 'k1'), tracking_plan: PLAN });
  await config.create('tracking-plans', planWith(orderPlan({ properties: { list: slow } })));
  const stores = { config, deliveries: openIngestionStorage(), dispatcher: new RecordingDispatcher() };
  const { pipeline } = await startPipeline({ ...stores, clock: stillClock(() => 0) });
  const list = many(8_000, () => 'y');
  const accepted = pipeline.accept({ source: SOURCE, events: many(4, () => trackOf({ list })) });
  const state = { turns: 0, isOver: false };
  const over = accepted.then(() => (state.isOver = true));
  for (; !state.isOver; state.turns += 1) await turn();
  await over;
  expect(state.turns).toBeGreaterThan(2);
});
