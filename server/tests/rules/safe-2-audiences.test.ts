import { expect, test } from 'vitest';
import { compileMeasures, CONDITION_STEPS, EVENT_STEPS } from '../../audiences/compiled-measures.ts';
import { Budget } from '../../evaluation/budget.ts';
import { DEFINITION_LIMITS } from '../../model/definition.ts';
import { createEvaluations, FOLD_STEPS } from '../../storage/profiles/evaluation.ts';
import { measure, space } from '../conformance/profile-place.ts';
import { HOUR } from '../support/audience-world.ts';
import { startedWorld } from '../support/started-audience-world.ts';
import { eventOf } from '../support/engine.ts';
import { HOSTILE_CONDITIONS } from '../support/hostile-definitions.ts';
import { MAX_MS, processorMs } from '../support/processor-time.ts';

const SOURCE = 'workspaces/main/sources/js';
const MINUTE = 60_000;
/** Longer than any wait for the next run. */
const NEXT_RUN = 3 * HOUR;
const [CONDITION = '', SLOW = eventOf(0)] = HOSTILE_CONDITIONS['a pattern of the event with gaps'] ?? [];

const measures = (count: number, where: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => measure('amounts', where(at)));

test.each(Object.entries(HOSTILE_CONDITIONS))(
  'SAFE-2: all audiences together, of conditions with %s, stay within the steps of one event',
  (_name, [condition, event]) => {
    // One part less leaves room for what makes each another one.
    const part = condition.length > 4_070 ? condition.slice(0, condition.lastIndexOf(' or ')) : condition;
    const countedOf = compileMeasures(measures(100, (at) => `${part} or event = "x${at}"`));
    const budget = new Budget(EVENT_STEPS);
    const { counted, undecided } = countedOf(event, SOURCE, budget);
    expect(counted.length + undecided.length).toBeLessThanOrEqual(100);
    expect(budget.used).toBeLessThanOrEqual(EVENT_STEPS);
    expect(processorMs(() => countedOf(event, SOURCE, new Budget(EVENT_STEPS)))).toBeLessThan(MAX_MS);
  },
);

test('SAFE-2: as many audiences as there may be decide what they count, where their conditions are short', () => {
  const { audiences, conditions, computedTraits } = DEFINITION_LIMITS;
  const all = measures(audiences * conditions + computedTraits, (at) => `properties.total >= ${at} and type = 'track'`);
  const event = eventOf(0, { properties: { total: 1_000, text: 'a'.repeat(30_000) } });
  const { counted, undecided } = compileMeasures(all)(event, SOURCE, new Budget(EVENT_STEPS));
  expect([counted.length, undecided]).toEqual([1_001, []]);
});

test('SAFE-2: a condition that takes long leaves room for the others, and a search of a long text is no such condition', () => {
  const slow = measures(7, (at) => `${CONDITION} or event = "x${at}"`);
  const search = measure('amounts', 'contains(properties.x, "aaab") or match(properties.x, "*aab*")');
  const budget = new Budget(EVENT_STEPS);
  const { counted, undecided } = compileMeasures([...slow, search, measure('amounts', 'all')])(SLOW, SOURCE, budget);
  expect(counted.map((one) => one.measure.where)).toEqual(['all']);
  expect(undecided).toEqual(slow);
  expect(budget.used).toBeGreaterThan(7 * CONDITION_STEPS);
});

test('SAFE-2: one fold begins no event once those before it took long', () => {
  const slow = measures(10, (at) => `${CONDITION} or event = "x${at}"`);
  const evaluation = createEvaluations()([space(...slow)]);
  let begun = 0;
  for (; begun < 50 && evaluation.hasRoom(); begun += 1) {
    const event = { id: begun, source: SOURCE, caught: JSON.stringify(SLOW) };
    expect(evaluation.of(event, new Budget(EVENT_STEPS))).toBeDefined();
  }
  expect(begun).toBe(FOLD_STEPS / EVENT_STEPS);
  expect(evaluation.undecided()).toMatchObject([{ measures: slow.map(({ id }) => id), events: begun }]);
});

test('SAFE-2: a run fails and tells nobody where an event was undecided, and the next goes on without it', async () => {
  const world = await startedWorld();
  const name = await world.audience('buyers', { events: { where: `event = 'Bought' and !${CONDITION}` } });
  const other = await world.audience('others', { member_of: name });
  const trait = await world.trait('times', { counter: { where: `!${CONDITION}` } });
  const apart = await world.audience('apart', { events: { where: "event = 'Bought'" } });
  await world.send({ userId: 'u1' });
  await world.advance(MINUTE);
  const told = ['u1 apart true', 'u1 buyers true', 'u1 others true', 'u1 times 1'];
  expect(world.told().toSorted()).toEqual(told);
  await world.send({ userId: 'u2' });
  await world.send({ userId: 'u3', properties: { ...SLOW.properties } });
  await world.advance(2 * NEXT_RUN);
  const runsOf = async (computation: string) => (await world.syncs(computation)).toReversed().slice(1, 3);
  const reason = expect.stringMatching(/^at 20.* an event exceeded the evaluation budget of its conditions, so /);
  for (const one of [name, other, trait]) {
    expect(await runsOf(one)).toMatchObject([
      { state: 'FAILED', reason, sent: 0 },
      { state: 'DONE', sent: 1 },
    ]);
    expect(world.undecided.of(one)).toMatchObject({ count: 1 });
  }
  expect((await runsOf(apart))[0]).toMatchObject({ state: 'DONE', sent: 2 });
  expect(world.undecided.of(apart)).toBeUndefined();
  expect(world.told().slice(told.length).toSorted()).toEqual([
    'u2 apart true',
    'u2 buyers true',
    'u2 others true',
    'u2 times 1',
    'u3 apart true',
  ]);
});
