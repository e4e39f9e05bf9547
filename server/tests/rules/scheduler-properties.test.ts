import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canStart, type DestinationQueue, newQueue } from '../../delivery/destination-queue.ts';
import { Roles } from '../../delivery/roles.ts';
import { type Queue, Scheduler } from '../../delivery/scheduler.ts';
import { DEFAULT_POLICY } from '../../model/policy.ts';

const POLICY = { ...DEFAULT_POLICY, perDestination: 6, rampStart: 2, inFlight: 8, totalRoom: 40, totalBytes: 1_000 };
const NAMES = ['a', 'b', 'c', 'd', 'e'];

/** A state that a queue is in next, or a turn that somebody asks for. */
type Action = { readonly name: string; readonly state: DestinationQueue } | 'next' | 'next starved';

const anyState: fc.Arbitrary<DestinationQueue> = fc
  .record({
    ready: fc.nat(12),
    bytes: fc.nat(400),
    reserved: fc.nat(6),
    inFlight: fc.nat(3),
    limit: fc.integer({ min: 2, max: 6 }),
    refill: fc.constantFrom<DestinationQueue['refill'][]>(
      { state: 'none' },
      { state: 'starved' },
      { state: 'asked', which: 'due', known: { dueAt: 0, oldestAt: 0 }, limit: 3, bytes: 300 },
    ),
  })
  .map(({ limit, ...state }) => ({
    ...newQueue(POLICY),
    ...state,
    circuit: { state: 'closed' as const, limit, failures: 0 },
  }));

const anyActions: fc.Arbitrary<Action[]> = fc.array(
  fc.oneof(
    fc.record({ name: fc.constantFrom(...NAMES), state: anyState }),
    fc.constantFrom('next' as const, 'next starved' as const),
  ),
  { maxLength: 60, size: 'max' },
);

test('D-26: destination queues take turns, and the budgets that they share are counted', () => {
  fc.assert(
    fc.property(anyActions, (actions) => {
      expect(faultOf(new Scheduler(POLICY, new Roles(POLICY)), actions)).toBeUndefined();
    }),
    { numRuns: 3_000 },
  );
});

class Greedy extends Scheduler {
  override next(): Queue | undefined {
    return [...this.all()].find(({ state }) => canStart(POLICY, state));
  }
}

class Unreserved extends Scheduler {
  override update(queue: Queue, state: DestinationQueue): void {
    super.update(queue, { ...state, reserved: 0 });
    queue.state = state;
  }
}

class WithoutReserve extends Scheduler {
  override next(): Queue | undefined {
    for (const one of this.all()) super.update(one, { ...one.state, inFlight: 0 });
    return super.next();
  }
}

class Deaf extends Scheduler {
  override nextStarved(): Queue | undefined {
    return [...this.all()].find(({ state }) => state.refill.state === 'starved');
  }
}

test.each([
  ['serves one before the others', 'out of turn', Greedy],
  ['does not count what is reserved', 'memory', Unreserved],
  ['gives all places to those that have many', 'in flight', WithoutReserve],
  ['feeds one before the others', 'out of turn to memory', Deaf],
])('D-26: a scheduler that %s is found', (_name, fault, Broken) => {
  const found = fc.check(
    fc.property(
      anyActions,
      (actions) => faultOf(new Broken(POLICY, new Roles(POLICY)), actions)?.includes(fault) !== true,
    ),
    { numRuns: 3_000, seed: 1, endOnFailure: true },
  );
  expect(found.failed).toBe(true);
});

/** What a scheduler does wrong, beside lists that are searched. */
function faultOf(scheduler: Scheduler, actions: readonly Action[]): string | undefined {
  const states = new Map(NAMES.map((name) => [name, newQueue(POLICY)]));
  let turns: readonly string[] = [];
  let starved: readonly string[] = [];
  for (const action of actions) {
    if (action === 'next') {
      const fault = faultOfTurn(scheduler.next()?.destination, turns, states);
      if (fault.text !== undefined) return fault.text;
      turns = turns.filter((name) => name !== fault.next);
    } else if (action === 'next starved') {
      const next = scheduler.nextStarved()?.destination;
      if (next !== starved[0]) return 'out of turn to memory';
      starved = [...starved.slice(1), ...starved.slice(0, 1)];
    } else {
      const { name, state } = action;
      states.set(name, state);
      scheduler.update(scheduler.of(name), state);
      turns = placed(turns, name, canStart(POLICY, state));
      starved = placed(starved, name, state.refill.state === 'starved');
    }
    const fault = faultOfBudgets(scheduler, [...states.values()]);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function faultOfTurn(
  next: string | undefined,
  turns: readonly string[],
  states: ReadonlyMap<string, DestinationQueue>,
): { readonly next?: string | undefined; readonly text?: string } {
  const inFlight = sum([...states.values()], (state) => state.inFlight);
  if (inFlight >= POLICY.inFlight) return next === undefined ? {} : { text: 'more in flight than all may have' };
  if (inFlight < POLICY.inFlight * 0.75) return next === turns[0] ? { next } : { text: 'out of turn' };
  const modest = turns.filter((name) => (states.get(name)?.inFlight ?? 0) < POLICY.rampStart);
  const isRight = next === undefined ? modest.length === 0 : modest.includes(next);
  return isRight ? { next } : { text: 'more in flight than those may have that have many' };
}

function faultOfBudgets({ inFlight, memory }: Scheduler, states: readonly DestinationQueue[]): string | undefined {
  if (inFlight !== sum(states, (state) => state.inFlight)) return 'counts other rounds';
  const places = sum(states, ({ ready, reserved }) => ready + reserved);
  const bytes = sum(states, (state) => state.bytes + (state.refill.state === 'asked' ? state.refill.bytes : 0));
  const free = bytes >= POLICY.totalBytes ? 0 : POLICY.totalRoom - places;
  const shared = bytes >= POLICY.totalBytes * 0.75 ? 0 : POLICY.totalRoom * 0.75 - places;
  return memory.free === free && memory.shared === shared ? undefined : 'has other memory than is free';
}

function placed(names: readonly string[], name: string, belongs: boolean): readonly string[] {
  if (!belongs) return names.filter((one) => one !== name);
  return names.includes(name) ? names : [...names, name];
}

function sum(states: readonly DestinationQueue[], of: (state: DestinationQueue) => number): number {
  return states.reduce((total, state) => total + of(state), 0);
}
