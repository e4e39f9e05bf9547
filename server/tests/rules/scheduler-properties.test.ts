import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canStart, type DestinationQueue, newQueue } from '../../delivery/destination-queue.ts';
import { Roles } from '../../delivery/roles.ts';
import { type Queue, Scheduler } from '../../delivery/scheduler.ts';
import { DEFAULT_POLICY } from '../../model/policy.ts';

/** A trial each 250 ms, and two in memory. */
const POLICY = {
  ...DEFAULT_POLICY,
  trialsPerSecond: 4,
  perDestination: 6,
  rampStart: 2,
  inFlight: 8,
  totalRoom: 40,
  totalBytes: 1_000,
};
const TRIALS_AT_ONCE = 1;
const NAMES = ['a', 'b', 'c', 'd', 'e'];

/** A state that a queue is in next, time that goes by, or a turn that somebody asks for. */
type Action =
  | { readonly name: string; readonly state: DestinationQueue }
  | { readonly ms: number }
  | 'next'
  | 'next starved';

const anyState: fc.Arbitrary<DestinationQueue> = fc
  .record({
    ready: fc.nat(12),
    bytes: fc.nat(400),
    reserved: fc.nat(6),
    inFlight: fc.nat(3),
    standing: fc.constantFrom<DestinationQueue['standing'][]>('new', 'on trial', 'answers', 'fails'),
    isProven: fc.boolean(),
    limit: fc.integer({ min: 2, max: 6 }),
    refill: fc.constantFrom<DestinationQueue['refill'][]>(
      { state: 'none' },
      { state: 'starved' },
      { state: 'asked', which: 'due', known: { dueAt: 0, oldestAt: 0 }, limit: 3, bytes: 300 },
    ),
  })
  .map(({ limit, isProven, ...state }) => ({
    ...newQueue(POLICY),
    ...state,
    isProven: isProven && state.standing === 'answers',
    circuit: { state: 'closed' as const, limit, failures: 0 },
  }));

const anyActions: fc.Arbitrary<Action[]> = fc.array(
  fc.oneof(
    fc.record({ name: fc.constantFrom(...NAMES), state: anyState }),
    fc.record({ ms: fc.nat(2_000) }),
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
  override next(now: () => number): Queue | undefined {
    for (const one of this.all()) super.update(one, { ...one.state, inFlight: 0 });
    return super.next(now);
  }
}

class Impatient extends Scheduler {
  override next(): Queue | undefined {
    return super.next(() => Infinity);
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
  ['does not wait for the pace of trials', 'trials in a flood', Impatient],
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

type TurnClass = 'proven' | 'other' | 'trial';
const CLASSES = ['proven', 'other', 'trial'] as const;

function classOf({ isProven, standing }: DestinationQueue): TurnClass {
  if (isProven) return 'proven';
  return standing === 'on trial' || standing === 'fails' ? 'trial' : 'other';
}

function hungerOf(state: DestinationQueue | undefined): TurnClass {
  if (state?.isProven === true) return 'proven';
  return state?.standing === 'answers' ? 'other' : 'trial';
}

/** Names of queues that wait for the same thing, in the order of their turns. */
class Waiting {
  #names: readonly { readonly name: string; readonly of: TurnClass }[] = [];
  #order: readonly TurnClass[] = CLASSES;

  place(name: string, of: TurnClass, belongs: boolean): void {
    const isThere = this.#names.some((one) => one.name === name && one.of === of);
    if (isThere && belongs) return;
    this.remove(name);
    if (belongs) this.#names = [...this.#names, { name, of }];
  }

  remove(name: string): void {
    this.#names = this.#names.filter((one) => one.name !== name);
  }

  /** What comes next of each class comes behind the others. */
  take(which: readonly TurnClass[]): string | undefined {
    const may = this.#names.filter(({ of }) => which.includes(of));
    const taken = this.#order.flatMap((wanted) => may.filter(({ of }) => of === wanted)).at(0);
    if (taken === undefined) return undefined;
    const next = CLASSES.indexOf(taken.of) + 1;
    this.#order = [...CLASSES.slice(next), ...CLASSES.slice(0, next)];
    this.remove(taken.name);
    return taken.name;
  }
}

/** What a scheduler does wrong, beside lists that are searched. */
function faultOf(scheduler: Scheduler, actions: readonly Action[]): string | undefined {
  const states = new Map(NAMES.map((name) => [name, newQueue(POLICY)]));
  const [turns, modest, starved] = [new Waiting(), new Waiting(), new Waiting()];
  const trials: number[] = [];
  let at = 0;
  for (const action of actions) {
    if (action === 'next') {
      const next = scheduler.next(() => at)?.destination;
      const fault = faultOfTurn(next, { turns, modest, states, trials, at });
      if (fault !== undefined) return fault;
    } else if (action === 'next starved') {
      const { refills, trials: room } = scheduler.memory;
      const wanted = refills > 0 ? starved.take(room > 0 ? CLASSES : ['proven', 'other']) : undefined;
      if (wanted !== undefined) starved.place(wanted, hungerOf(states.get(wanted)), true);
      if (scheduler.nextStarved()?.destination !== wanted) return 'out of turn to memory';
    } else if ('ms' in action) {
      at += action.ms;
    } else {
      const { name, state } = action;
      // An answer: the last trial counts as none.
      if (['on trial', 'fails'].includes(states.get(name)?.standing ?? '') && state.standing === 'answers')
        trials.pop();
      states.set(name, state);
      scheduler.update(scheduler.of(name), state);
      const starts = canStart(POLICY, state);
      turns.place(name, classOf(state), starts);
      modest.place(name, classOf(state), starts && state.inFlight < POLICY.rampStart);
      starved.place(name, hungerOf(state), state.refill.state === 'starved');
    }
    const fault = faultOfBudgets(scheduler, [...states.values()]);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

interface Turning {
  readonly turns: Waiting;
  readonly modest: Waiting;
  readonly states: ReadonlyMap<string, DestinationQueue>;
  /** When trials were made. */
  readonly trials: number[];
  readonly at: number;
}

function faultOfTurn(next: string | undefined, { turns, modest, states, trials, at }: Turning): string | undefined {
  const inFlight = sum([...states.values()], (state) => state.inFlight);
  if (inFlight >= POLICY.inFlight) return next === undefined ? undefined : 'more in flight than all may have';
  const [line, fault] =
    inFlight < POLICY.inFlight * 0.75
      ? [turns, 'out of turn']
      : [modest, 'more in flight than those may have that have many'];
  const mayTry: readonly TurnClass[] = isTrialDue(trials, at) ? CLASSES : ['proven', 'other'];
  const wanted = line.take(inFlight < POLICY.inFlight * 0.875 ? mayTry : ['proven']);
  if (wanted !== undefined) for (const one of [turns, modest]) one.remove(wanted);
  const state = states.get(next ?? '');
  if (state !== undefined && classOf(state) === 'trial') {
    if (!mayTry.includes('trial')) return 'trials in a flood';
    trials.push(at);
  }
  return next === wanted ? undefined : fault;
}

/** In each span of time there are as many as the pace has room for in it, and what is made up for at once. */
function isTrialDue(trials: readonly number[], at: number): boolean {
  const ends = [...trials, at];
  return ends.every((from, index) => {
    const inSpan = ends.length - index;
    return inSpan <= TRIALS_AT_ONCE + ((at - from) * POLICY.trialsPerSecond) / 1_000;
  });
}

function faultOfBudgets({ inFlight, memory }: Scheduler, states: readonly DestinationQueue[]): string | undefined {
  if (inFlight !== sum(states, (state) => state.inFlight)) return 'counts other rounds';
  const places = sum(states, ({ ready, reserved }) => ready + reserved);
  const bytes = sum(states, (state) => state.bytes + (state.refill.state === 'asked' ? state.refill.bytes : 0));
  const refills = 8 - sum(states, ({ refill }) => (refill.state === 'asked' ? 1 : 0));
  const freeOf = (part: number): number => (bytes >= POLICY.totalBytes * part ? 0 : POLICY.totalRoom * part - places);
  const trials = POLICY.trialsPerSecond / 2 - sum(states, placesOfTrials);
  const wanted = { free: freeOf(1), unproven: freeOf(0.875), shared: freeOf(0.75), trials, refills };
  return isDeepStrictEqual({ ...memory }, wanted) ? undefined : 'has other memory than is free';
}

/** Of what may start but for the pace, and of what is asked for and will wait for it. */
function placesOfTrials(state: DestinationQueue): number {
  if (state.standing === 'answers') return 0;
  const waits = classOf(state) === 'trial' && canStart(POLICY, state);
  return (waits ? state.ready : 0) + (state.refill.state === 'asked' ? state.refill.limit : 0);
}

function sum(states: readonly DestinationQueue[], of: (state: DestinationQueue) => number): number {
  return states.reduce((total, state) => total + of(state), 0);
}
