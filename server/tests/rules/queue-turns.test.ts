import { expect, test } from 'vitest';
import { newQueue } from '../../delivery/destination-queue.ts';
import type { Queue, Workspace } from '../../delivery/scheduler.ts';
import { QueueTurns, type TurnClass } from '../../delivery/queue-turns.ts';
import { DEFAULT_POLICY as policy } from '../../model/policy.ts';

const ALL: readonly TurnClass[] = ['proven', 'other', 'trial'];

/** Queues are named by their class and a number; the class may be changed. Where nothing is said, they are of one workspace. */
class TurnsOf {
  readonly #classes = new Map<Queue['state'], TurnClass>();
  readonly own: Workspace = { queues: 0, inFlight: 0 };
  readonly turns = new QueueTurns((state) => this.#classes.get(state) ?? 'other');

  queue(destination: string, one: TurnClass, workspace = this.own): Queue {
    const role = { isOwner: true, policy };
    const queue = { destination, workspace, claims: [], role, state: newQueue(policy), trials: 0 };
    this.become(queue, one);
    this.turns.place(queue, true);
    return queue;
  }

  become(queue: Queue, one: TurnClass): void {
    this.#classes.set(queue.state, one);
  }

  /** All whose turn comes, in order; no more than could wait, should a turn not end. */
  taken(which = ALL): string[] {
    const turns = Array.from({ length: 20 }, () => this.turns.take(which));
    return turns.flatMap((queue) => queue?.destination ?? []);
  }
}

test('D-26: the classes come in turn, and of a class who has waited longest', () => {
  const world = new TurnsOf();
  for (const one of ['t1', 't2', 't3']) world.queue(one, 'trial');
  for (const one of ['o1', 'o2']) world.queue(one, 'other');
  for (const one of ['p1', 'p2']) world.queue(one, 'proven');
  expect(world.taken()).toEqual(['p1', 'o1', 't1', 'p2', 'o2', 't2', 't3']);
});

test('D-26: whoever came last, the class after that of the last turn comes next', () => {
  const world = new TurnsOf();
  world.queue('t1', 'trial');
  expect(world.turns.take(ALL)?.destination).toBe('t1');
  for (const one of ALL) world.queue(one, one);
  expect(world.turns.take(ALL)?.destination).toBe('proven');
  world.queue('proven again', 'proven');
  expect(world.taken()).toEqual(['other', 'trial', 'proven again']);
});

test('D-26: classes that have no turn are left out, and keep what waits', () => {
  const world = new TurnsOf();
  for (const one of ALL) world.queue(one, one);
  expect(world.taken(['other'])).toEqual(['other']);
  expect(ALL.map((one) => world.turns.has(one))).toEqual([true, false, true]);
  expect(world.taken([])).toEqual([]);
  expect(world.taken()).toEqual(['trial', 'proven']);
  expect(ALL.map((one) => world.turns.has(one))).toEqual([false, false, false]);
});

test('D-26: who waits already keeps its place, and who is of another class now comes last there', () => {
  const world = new TurnsOf();
  const [a, b] = [world.queue('a', 'trial'), world.queue('b', 'trial')];
  world.queue('c', 'proven');
  world.turns.place(a, true);
  world.become(b, 'proven');
  world.turns.place(b, true);
  expect(world.taken()).toEqual(['c', 'a', 'b']);
});

test('D-26: who waits no more has no turn', () => {
  const world = new TurnsOf();
  const [a, b] = [world.queue('a', 'trial'), world.queue('b', 'trial')];
  world.queue('c', 'trial');
  world.turns.remove(a);
  world.turns.place(b, false);
  expect(world.taken()).toEqual(['c']);
});

test('D-26: who is in memory no more has no turn, and comes last when it is there again', () => {
  const world = new TurnsOf();
  const [a] = [world.queue('a', 'trial'), world.queue('b', 'trial')];
  world.turns.forget(a);
  world.turns.place(a, true);
  world.queue('c', 'trial');
  expect(world.taken()).toEqual(['b', 'a', 'c']);
});

test('D-26: within a class workspaces come in turn, however many queues one of them has', () => {
  const world = new TurnsOf();
  const [other, third] = [
    { queues: 0, inFlight: 0 },
    { queues: 0, inFlight: 0 },
  ];
  for (const one of ['a1', 'a2', 'a3', 'a4']) world.queue(one, 'proven');
  for (const one of ['b1', 'b2']) world.queue(one, 'proven', other);
  world.queue('c1', 'trial', third);
  expect(world.taken()).toEqual(['a1', 'c1', 'b1', 'a2', 'b2', 'a3', 'a4']);
});

test('D-26: a workspace whose queues wait no more has no turn, and comes last when one waits again', () => {
  const world = new TurnsOf();
  const [other, third] = [
    { queues: 0, inFlight: 0 },
    { queues: 0, inFlight: 0 },
  ];
  const [only] = [world.queue('a1', 'other'), world.queue('b1', 'other', other)];
  world.turns.remove(only);
  world.queue('c1', 'other', third);
  world.turns.place(only, true);
  expect(world.taken()).toEqual(['b1', 'c1', 'a1']);
});

test('D-26: workspaces that have no turn are left out, and keep what waits', () => {
  const world = new TurnsOf();
  const other = { queues: 0, inFlight: 0 };
  world.queue('a1', 'other');
  world.queue('a2', 'other');
  world.queue('b1', 'other', other);
  const isOther = (workspace: Workspace): boolean => workspace === other;
  expect([world.turns.has('other', isOther), world.turns.has('trial', isOther)]).toEqual([true, false]);
  expect([world.turns.take(ALL, isOther)?.destination, world.turns.take(ALL, isOther)]).toEqual(['b1', undefined]);
  expect(world.taken()).toEqual(['a1', 'a2']);
});
