import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { EVALUATION_STEPS } from '../../evaluation/budget.ts';
import { TURN_STEPS } from '../../fairness/turns.ts';
import { createUndecided } from '../../losses/undecided.ts';
import type { Event } from '../../model/message.ts';
import { type CountedTurns, countedTurns } from '../support/counted-turns.ts';
import { HOSTILE_PLANS } from '../support/hostile-definitions.ts';
import { MemoryConfigStore, sourceNamed } from '../support/ingestion-config-store.ts';
import { openIngestionStorage } from '../support/ingestion-delivery-store.ts';
import { RecordingDispatcher } from '../support/ingestion-dispatcher.ts';
import { startPipeline } from '../support/pipeline.ts';
import { MAX_MS, processorMsSince } from '../support/processor-time.ts';
import { stillClock } from '../support/still-clock.ts';
import { ofGroup, PLAN, planWith, trackOf } from '../support/tracking.ts';

const SOURCE = 'workspaces/main/sources/planned';

/** As large as a rule may be. */
const LARGE_RULE = ofGroup('properties', {
  properties: {
    x: { anyOf: Array.from({ length: 14 }, (_, at) => ({ pattern: `[ab]*a[ab]{${680 + at}}c` })) },
    y: { anyOf: Array.from({ length: 800 }, () => ({ required: ['a', 'b', 'c'], minLength: 1 })) },
  },
});

/** Two rules, which take the processor longer than one turn may together. */
const LARGE_RULES = { events: [{ name: 'Order', rules: LARGE_RULE }], global: LARGE_RULE };

/** The pipeline with a source that is held to these rules; turns are moved until all events are stored. */
async function startPlanned(rules: object, { turns, perTurn, move }: CountedTurns) {
  const config = new MemoryConfigStore();
  await config.create('sources', { ...sourceNamed(SOURCE, 'k'), tracking_plan: PLAN });
  await config.create('tracking-plans', planWith(rules));
  const undecided = createUndecided();
  const stores = { config, deliveries: openIngestionStorage(), dispatcher: new RecordingDispatcher() };
  const { pipeline } = await startPipeline({ ...stores, clock: stillClock(() => 7), turns, undecided });
  /** How many turns it took, and the processor's time of the longest. */
  const accept = async (events: readonly Event[]): Promise<{ readonly turns: number; readonly worstMs: number }> => {
    const state = { isOver: false };
    const [before, times] = [perTurn.length, [0]];
    const timed = async (work: () => unknown): Promise<void> => {
      const start = process.threadCpuUsage();
      await work();
      times.push(processorMsSince(start));
    };
    await timed(() => {
      void pipeline.accept({ source: SOURCE, events }).then(() => (state.isOver = true));
      return nextTurn();
    });
    while (!state.isOver) await timed(move);
    return { turns: perTurn.length - before, worstMs: Math.max(...times) };
  };
  return { accept, undecided };
}

test('SAFE-2: events that are slow to be held to a plan share the turns', async () => {
  const [rules, event] = HOSTILE_PLANS['many alternatives'] ?? [{}, trackOf({})];
  const counted = countedTurns();
  const { accept, undecided } = await startPlanned(rules, counted);
  const slow = Array.from({ length: 10 }, (_, at): Event => ({ ...event, messageId: `m${at}` }));
  const { turns } = await accept([...slow, trackOf({}, { messageId: 'quick', event: 'Other' })]);
  expect(turns).toBeGreaterThan(5);
  expect(Math.max(...counted.perTurn)).toBeLessThanOrEqual(TURN_STEPS + EVALUATION_STEPS);
  expect(undecided.of(PLAN)?.count).toBe(10);
});

test('SAFE-2: the rules of a plan are made ready in turns, before its first event is held to them', async () => {
  const counted = countedTurns();
  const { accept } = await startPlanned(LARGE_RULES, counted);
  const { turns, worstMs } = await accept([trackOf({ x: 'a' })]);
  expect(turns).toBeGreaterThan(4);
  expect(Math.max(...counted.perTurn)).toBeLessThanOrEqual(TURN_STEPS + EVALUATION_STEPS);
  expect(worstMs).toBeLessThan(MAX_MS);
  // They are ready once and for all.
  expect((await accept([trackOf({ x: 'a' }, { messageId: 'm2' })])).turns).toBe(0);
});

test('SAFE-2: twin: rules that wait for no turn are made ready in one, beyond what it has room for', async () => {
  const counted = countedTurns();
  const { accept } = await startPlanned(LARGE_RULES, {
    ...counted,
    turns: { ...counted.turns, room: () => undefined },
  });
  const { turns } = await accept([trackOf({ x: 'a' })]);
  expect(turns).toBe(0);
  expect(Math.max(...counted.perTurn)).toBeGreaterThan(TURN_STEPS + EVALUATION_STEPS);
});
