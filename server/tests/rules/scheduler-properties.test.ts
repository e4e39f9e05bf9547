import { isDeepStrictEqual } from 'node:util';
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
    isProven: fc.boolean(),
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

/** Names of queues that wait for the same thing, proven ones and others, in the order of their turns. */
class Waiting {
  #names: readonly { readonly name: string; readonly isProven: boolean }[] = [];
  #isForProven = true;

  place(name: string, isProven: boolean, belongs: boolean): void {
    const isThere = this.#names.some((one) => one.name === name && one.isProven === isProven);
    if (isThere && belongs) return;
    this.remove(name);
    if (belongs) this.#names = [...this.#names, { name, isProven }];
  }

  remove(name: string): void {
    this.#names = this.#names.filter((one) => one.name !== name);
  }

  take(which: 'any' | 'proven'): string | undefined {
    const may = this.#names.filter(({ isProven }) => isProven || which === 'any');
    const taken = may.find(({ isProven }) => isProven === this.#isForProven) ?? may[0];
    if (taken === undefined) return undefined;
    this.#isForProven = !taken.isProven;
    this.remove(taken.name);
    return taken.name;
  }
}

/** What a scheduler does wrong, beside lists that are searched. */
function faultOf(scheduler: Scheduler, actions: readonly Action[]): string | undefined {
  const states = new Map(NAMES.map((name) => [name, newQueue(POLICY)]));
  const [turns, modest, starved] = [new Waiting(), new Waiting(), new Waiting()];
  for (const action of actions) {
    if (action === 'next') {
      const fault = faultOfTurn(scheduler.next()?.destination, { turns, modest, states: [...states.values()] });
      if (fault !== undefined) return fault;
    } else if (action === 'next starved') {
      const wanted = scheduler.memory.refills > 0 ? starved.take('any') : undefined;
      if (wanted !== undefined) starved.place(wanted, states.get(wanted)?.isProven === true, true);
      if (scheduler.nextStarved()?.destination !== wanted) return 'out of turn to memory';
    } else {
      const { name, state } = action;
      states.set(name, state);
      scheduler.update(scheduler.of(name), state);
      const starts = canStart(POLICY, state);
      turns.place(name, state.isProven, starts);
      modest.place(name, state.isProven, starts && state.inFlight < POLICY.rampStart);
      starved.place(name, state.isProven, state.refill.state === 'starved');
    }
    const fault = faultOfBudgets(scheduler, [...states.values()]);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

interface Turning {
  readonly turns: Waiting;
  readonly modest: Waiting;
  readonly states: readonly DestinationQueue[];
}

function faultOfTurn(next: string | undefined, { turns, modest, states }: Turning): string | undefined {
  const inFlight = sum(states, (state) => state.inFlight);
  if (inFlight >= POLICY.inFlight) return next === undefined ? undefined : 'more in flight than all may have';
  const [line, fault] =
    inFlight < POLICY.inFlight * 0.75
      ? [turns, 'out of turn']
      : [modest, 'more in flight than those may have that have many'];
  const wanted = line.take(inFlight < POLICY.inFlight * 0.875 ? 'any' : 'proven');
  if (wanted !== undefined) for (const one of [turns, modest]) one.remove(wanted);
  return next === wanted ? undefined : fault;
}

function faultOfBudgets({ inFlight, memory }: Scheduler, states: readonly DestinationQueue[]): string | undefined {
  if (inFlight !== sum(states, (state) => state.inFlight)) return 'counts other rounds';
  const places = sum(states, ({ ready, reserved }) => ready + reserved);
  const bytes = sum(states, (state) => state.bytes + (state.refill.state === 'asked' ? state.refill.bytes : 0));
  const refills = 8 - sum(states, ({ refill }) => (refill.state === 'asked' ? 1 : 0));
  const freeOf = (part: number): number => (bytes >= POLICY.totalBytes * part ? 0 : POLICY.totalRoom * part - places);
  const wanted = { free: freeOf(1), unproven: freeOf(0.875), shared: freeOf(0.75), refills };
  return isDeepStrictEqual({ ...memory }, wanted) ? undefined : 'has other memory than is free';
}

function sum(states: readonly DestinationQueue[], of: (state: DestinationQueue) => number): number {
  return states.reduce((total, state) => total + of(state), 0);
}
