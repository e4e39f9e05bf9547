import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canStart, type DestinationQueue, newQueue, reduce } from '../../delivery/destination-queue.ts';
import type { QueueEvent } from '../../delivery/queue-events.ts';
import { Roles, shareOf, withShare } from '../../delivery/roles.ts';
import { DEFAULT_POLICY } from '../../model/policy.ts';
import type { Life } from '../../storage/members.ts';

const anyNodes = fc.uniqueArray(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 8 });

const lifeOf = (node: string): Life => ({ node, epoch: 1 });

/** A router among others, which has heard of them, and no more. */
function among(self: string, nodes: readonly string[]): Roles {
  const roles = new Roles(DEFAULT_POLICY);
  roles.begin(lifeOf(self), nodes.map(lifeOf));
  return roles;
}

test('D-62: shares of all members together are the limit, and the owner has one place at least', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 64 }), fc.integer({ min: 1, max: 100 }), (members, perDestination) => {
      const owner = shareOf(perDestination, { members, isOwner: true });
      const guest = shareOf(perDestination, { members, isOwner: false });
      expect(owner + (members - 1) * guest).toBe(perDestination);
      expect(owner).toBeGreaterThanOrEqual(Math.max(1, guest));
    }),
  );
});

test('D-62: a router that is alone has the whole limit', () => {
  const roles = among('a', ['a']);
  expect(roles.of('d')).toEqual({ isOwner: true, policy: DEFAULT_POLICY });
});

test('D-62: all members find the same owner, and who leaves moves no queue of the others', () => {
  fc.assert(
    fc.property(anyNodes, fc.string(), fc.nat(), (nodes, destination, pick) => {
      const owners = nodes.map((self) => {
        return among(self, nodes.toReversed()).ownerOf(destination);
      });
      expect(new Set(owners).size).toBe(1);
      const gone = nodes[pick % nodes.length];
      const rest = nodes.filter((node) => node !== gone);
      if (rest.length === 0 || gone === owners[0]) return;
      expect(among(rest[0] ?? '', rest).ownerOf(destination)).toBe(owners[0]);
    }),
  );
});

test('D-62: queues are spread evenly over members', () => {
  const nodes = ['router-1', 'router-2', 'router-3', 'router-4'];
  const roles = among('router-1', nodes);
  const names = Array.from({ length: 4_000 }, (_, index) => `workspaces/main/sources/s${index}/destinations/webhooks`);
  const counts = Map.groupBy(names, (name) => roles.ownerOf(name));
  for (const node of nodes) expect(Math.abs((counts.get(node)?.length ?? 0) - 1_000)).toBeLessThan(150);
});

const share = (roles: Roles): number => roles.of('d').policy.perDestination;

test('D-62: a router that joins has no share before all others have made room, then its own', () => {
  const roles = among('b', ['a', 'b', 'c']);
  expect([share(roles), roles.isAgreed]).toEqual([0, false]);
  roles.agree(new Set(['d']));
  expect([share(roles), roles.of('another').policy.perDestination > 0, roles.isAgreed]).toEqual([0, true, false]);
  roles.agree(new Set());
  expect([share(roles) > 0, roles.isAgreed]).toEqual([true, true]);
});

test('D-62: shares shrink with the word that members are others, and grow once all agree', () => {
  fc.assert(
    fc.property(fc.array(anyNodes, { minLength: 1 }), fc.string(), (heard, destination) => {
      const roles = among('self', ['self']);
      const had: number[] = [];
      const now = (): number => roles.of(destination).policy.perDestination;
      for (const nodes of heard) {
        had.push(now());
        roles.meet(['self', ...nodes.filter((node) => node !== 'self')].map(lifeOf));
        if (roles.isAlone) had.length = 0;
        expect(now()).toBeLessThanOrEqual(Math.min(DEFAULT_POLICY.perDestination, ...had));
      }
      const last = among('self', heard.at(-1)?.concat('self') ?? []);
      last.agree(new Set());
      roles.agree(new Set());
      expect(now()).toBe(last.of(destination).policy.perDestination);
    }),
  );
});

test('D-62: who has no share yet owns nothing, unless nobody has', () => {
  const division = { among: '', over: [] };
  const [a, b] = ['a', 'b'].map((node) => ({ ...lifeOf(node), division: { ...division, owns: false } }));
  const roles = new Roles(DEFAULT_POLICY);
  const names = Array.from({ length: 20 }, (_, index) => `d${index}`);
  const owners = (): string[] => [...new Set(names.map((name) => roles.ownerOf(name)))].toSorted();
  if (a !== undefined && b !== undefined) roles.begin(a, [a, b]);
  expect(owners()).toEqual(['a', 'b']);
  roles.meet([{ ...lifeOf('a'), division: { ...division, owns: true } }, ...(b === undefined ? [] : [b])]);
  expect(owners()).toEqual(['a']);
});

const at = 1_000_000;
const memory = { free: 100, unproven: 100, shared: 100, trials: 100, refills: 1 };
const { perDestination: LIMIT } = DEFAULT_POLICY;
const guestShare = shareOf(LIMIT, { members: 3, isOwner: false });
const ownerShare = shareOf(LIMIT, { members: 3, isOwner: true });
const guest = { policy: withShare(DEFAULT_POLICY, guestShare), isOwner: false, at, memory };
const owner = { policy: withShare(DEFAULT_POLICY, ownerShare), isOwner: true, at, memory };

const anyEvent: fc.Arbitrary<QueueEvent> = fc.oneof(
  fc.nat(100_000).map((ms): QueueEvent => ({ type: 'stored', dueAt: at + ms, receivedAt: at })),
  fc.constant<QueueEvent>({ type: 'tick' }),
  fc.constant<QueueEvent>({ type: 'moved' }),
  fc.constant<QueueEvent>({ type: 'heard', circuit: { state: 'closed' } }),
  fc.nat(100_000).map((ms): QueueEvent => ({ type: 'heard', circuit: { state: 'open', probes: 1, probeAt: at + ms } })),
  fc.constant<QueueEvent>({ type: 'claimed', count: 1, bytes: 10, places: 0 }),
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
