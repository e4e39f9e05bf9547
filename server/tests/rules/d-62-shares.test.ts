import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canStart, type DestinationQueue, newQueue, reduce } from '../../delivery/destination-queue.ts';
import type { QueueEvent } from '../../delivery/queue-events.ts';
import { Roles, sharedPolicy } from '../../delivery/roles.ts';
import { DEFAULT_POLICY } from '../../model/policy.ts';

const anyNodes = fc.uniqueArray(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 8 });

test('D-62: shares of all members together are the limit, and the owner has one place at least', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 64 }), fc.integer({ min: 1, max: 100 }), (members, perDestination) => {
      const policy = { ...DEFAULT_POLICY, perDestination };
      const owner = sharedPolicy(policy, { members, isOwner: true }).perDestination;
      const guest = sharedPolicy(policy, { members, isOwner: false }).perDestination;
      expect(owner + (members - 1) * guest).toBe(perDestination);
      expect(owner).toBeGreaterThanOrEqual(Math.max(1, guest));
    }),
  );
});

test('D-62: a router that is alone has the whole limit', () => {
  const roles = new Roles(DEFAULT_POLICY);
  roles.meet('a', ['a']);
  expect(roles.of('d')).toEqual({ isOwner: true, policy: DEFAULT_POLICY });
});

test('D-62: all members find the same owner, and who leaves moves no queue of the others', () => {
  fc.assert(
    fc.property(anyNodes, fc.string(), fc.nat(), (nodes, destination, pick) => {
      const owners = nodes.map((self) => {
        const roles = new Roles(DEFAULT_POLICY);
        roles.meet(self, nodes.toReversed());
        return roles.ownerOf(destination);
      });
      expect(new Set(owners).size).toBe(1);
      const gone = nodes[pick % nodes.length];
      const rest = nodes.filter((node) => node !== gone);
      const roles = new Roles(DEFAULT_POLICY);
      if (rest.length === 0 || gone === owners[0]) return;
      roles.meet(rest[0] ?? '', rest);
      expect(roles.ownerOf(destination)).toBe(owners[0]);
    }),
  );
});

test('D-62: queues are spread evenly over members', () => {
  const nodes = ['router-1', 'router-2', 'router-3', 'router-4'];
  const roles = new Roles(DEFAULT_POLICY);
  roles.meet('router-1', nodes);
  const names = Array.from({ length: 4_000 }, (_, index) => `workspaces/main/sources/s${index}/destinations/webhooks`);
  const counts = Map.groupBy(names, (name) => roles.ownerOf(name));
  for (const node of nodes) expect(Math.abs((counts.get(node)?.length ?? 0) - 1_000)).toBeLessThan(150);
});

const at = 1_000_000;
const memory = { free: 100, shared: 100 };
const guest = { policy: sharedPolicy(DEFAULT_POLICY, { members: 3, isOwner: false }), isOwner: false, at, memory };
const owner = { policy: sharedPolicy(DEFAULT_POLICY, { members: 3, isOwner: true }), isOwner: true, at, memory };

const anyEvent: fc.Arbitrary<QueueEvent> = fc.oneof(
  fc.nat(100_000).map((ms): QueueEvent => ({ type: 'stored', dueAt: at + ms, receivedAt: at })),
  fc.constant<QueueEvent>({ type: 'tick' }),
  fc.constant<QueueEvent>({ type: 'moved' }),
  fc.constant<QueueEvent>({ type: 'heard', circuit: { state: 'closed' } }),
  fc.nat(100_000).map((ms): QueueEvent => ({ type: 'heard', circuit: { state: 'open', probes: 1, probeAt: at + ms } })),
  fc.constant<QueueEvent>({ type: 'claimed', count: 1, bytes: 10 }),
);

/** What the queue is after these events, and all that was told and asked by it. */
function run(given: typeof guest, queue: DestinationQueue, events: readonly QueueEvent[]) {
  const told: number[] = [];
  let [state, refills] = [queue, 0];
  for (const event of events) {
    const step = reduce(given, state, event);
    ({ state } = step);
    for (const effect of step.effects) {
      if (effect.type === 'tell') told.push(effect.dueAt);
      if (effect.type === 'refill') refills += 1;
    }
  }
  return { state, told, refills };
}

test('D-62: a guest brings nothing from storage, and tells the owner of all that waits', () => {
  fc.assert(
    fc.property(fc.array(anyEvent), (events) => {
      const { state, told, refills } = run(guest, newQueue(DEFAULT_POLICY), events);
      expect([refills, state.dueAt, state.circuit.state === 'half-open']).toEqual([0, undefined, false]);
      expect(told).toEqual(events.flatMap((event) => (event.type === 'stored' ? [event.dueAt] : [])));
    }),
  );
});

test('D-62: who becomes a guest hands over the earliest that waits, and puts back what it has not begun', () => {
  fc.assert(
    fc.property(fc.array(anyEvent), (events) => {
      const before = run(owner, newQueue(DEFAULT_POLICY), events).state;
      const { state, told } = run(guest, before, [{ type: 'moved' }]);
      const asked = before.refill.state === 'asked';
      expect(told).toEqual(before.dueAt === undefined ? [] : [before.dueAt]);
      expect([state.ready, state.returning, state.dueAt]).toEqual([0, before.ready + before.returning, undefined]);
      if (!asked) return;
      // What it was about to be given goes back as well.
      const late = reduce(guest, state, { type: 'refill failed' });
      expect(late.effects).toContainEqual(expect.objectContaining({ type: 'tell' }));
    }),
  );
});

test('D-62: a queue whose limit has shrunk starts nothing beyond its share', () => {
  const circuit = { state: 'closed', limit: 32, failures: 0 } as const;
  const queue = { ...newQueue(DEFAULT_POLICY), circuit, ready: 1, inFlight: guest.policy.perDestination };
  expect([canStart(guest.policy, queue), canStart(owner.policy, queue)]).toEqual([false, true]);
});
