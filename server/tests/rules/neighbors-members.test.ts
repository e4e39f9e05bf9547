import { expect, test } from 'vitest';
import { shareOf } from '../../delivery/roles.ts';
import { DEFAULT_POLICY as policy } from '../../model/policy.ts';
import { LEASE_MS } from '../../storage/members.ts';
import { NeighborWorld, OPEN, peerOf } from '../support/neighbors.ts';

const backlogOf = (destination: string) => ({ destination, nextDueAt: 9, oldestReceivedAt: 8 });

async function exchange({ neighbors }: NeighborWorld, times: number): Promise<void> {
  for (let count = 0; count < times; count += 1) await neighbors.exchange();
}

test('storage is not read while the members stay the same', async () => {
  const world = new NeighborWorld('a', 'b');
  await exchange(world, 3);
  world.members = [...world.members, peerOf('c')];
  await exchange(world, 3);
  expect(world.readings).toBe(0);
});

test.each([
  ['is gone', [peerOf('a'), peerOf('c')]],
  ['lives anew', [peerOf('a'), peerOf('b', undefined, 2), peerOf('c')]],
])(
  'NODE-4: once a member %s, storage is read twice: another may just be freeing what it held',
  async (_what, members) => {
    const world = new NeighborWorld('a', 'b', 'c');
    await exchange(world, 1);
    world.members = members;
    await exchange(world, 4);
    expect(world.readings).toBe(2);
  },
);

test('NODE-4: storage that could not be read is read again with the next exchange', async () => {
  const world = new NeighborWorld('a', 'b');
  world.members = [peerOf('a')];
  world.backlog = new Error('down');
  for (let times = 0; times < 3; times += 1) await expect(world.neighbors.exchange()).rejects.toThrow('down');
  world.backlog = [];
  await exchange(world, 4);
  expect(world.readings).toBe(3 + 2);
});

test('NODE-1: a router takes from storage what waits in its own queues, and tells in how many', async () => {
  const world = new NeighborWorld('a', 'b');
  const [first = '', second = ''] = world.ownedBy('a', 2);
  const [guest = ''] = world.ownedBy('b', 1);
  world.backlog = [backlogOf(first), backlogOf(guest), backlogOf(second)];
  expect(await world.neighbors.learn(() => true)).toBe(2);
  const stored = { type: 'stored', dueAt: 9, receivedAt: 8 };
  expect(world.events).toEqual([
    [first, stored],
    [second, stored],
  ]);
  expect(world.logged).toEqual([]);
});

test.each([
  { waiting: 10, onPage: 2, atOnce: 2 },
  { waiting: 100, onPage: 100, atOnce: 40 },
])(
  'SAFE-2: of $waiting queues with something waiting, $onPage on a page, $atOnce are told in a turn',
  async (crowd) => {
    const world = new NeighborWorld('a');
    world.backlog = Array.from({ length: crowd.waiting }, (_, index) => backlogOf(`d${index}`));
    world.pageSize = crowd.onPage;
    const toldAtTurns: number[] = [];
    const caughtUp = world.neighbors.learn(() => true);
    for (let turn = 0; turn < 1_000; turn += 1) {
      toldAtTurns.push(world.events.length);
      await Promise.resolve();
    }
    expect(await caughtUp).toBe(crowd.waiting);
    const steps = toldAtTurns.map((told, turn) => told - (toldAtTurns[turn - 1] ?? 0));
    expect(Math.max(...steps)).toBe(crowd.atOnce);
  },
);

test('D-62: what a router reads in a queue that became that of another meanwhile is told to that one', async () => {
  const world = new NeighborWorld('a');
  world.pageSize = 2;
  const names = Array.from({ length: 20 }, (_, index) => `d${index}`);
  world.backlog = names.map(backlogOf);
  const learned = world.neighbors.learn(() => true);
  while (world.events.length < 2) await Promise.resolve();
  world.members = ['a', 'b'].map((node) => peerOf(node, { among: '', over: [], owns: true }));
  await exchange(world, 1);
  const known = new Set(world.events.map(([destination]) => destination));
  await learned;
  await exchange(world, 1);
  const theirs = names.filter((one) => world.roles.ownerOf(one) === 'b');
  const told = world.told.flatMap(({ waits }) => waits).map(({ to, destination }) => `${to} ${destination}`);
  expect(told).toEqual(theirs.filter((one) => !known.has(one)).map((one) => `b ${one}`));
  expect(told.length).toBeGreaterThan(3);
});

test('NODE-4: the log tells how much a silent router held', async () => {
  const world = new NeighborWorld('a');
  world.freed = 3;
  await world.neighbors.catchUp();
  expect(world.reapedAt).toEqual([world.time.now]);
  const message = 'what a silent router held waits again';
  expect(world.logged).toEqual([{ level: 'warn', fields: { deliveries: 3 }, message }]);
});

test('D-62: a router that hears of other members tells at once that it counts with them', async () => {
  const world = new NeighborWorld('a', 'b');
  await exchange(world, 1);
  expect(world.told.map(({ division }) => division.among)).toEqual(['a:1 b:1']);
  world.members = [...world.members, peerOf('c')];
  await exchange(world, 1);
  expect(world.told.slice(1).map(({ division }) => division.among)).toEqual(['a:1 b:1', 'a:1 b:1 c:1']);
});

test('D-62: queues that change hands or lose their share are told so, the others are looked at', async () => {
  const world = new NeighborWorld('a');
  const names = Array.from({ length: 30 }, (_, index) => `d${index}`);
  for (const name of names) world.put(name, {});
  world.members = [peerOf('a'), peerOf('b')];
  world.agree();
  world.members = world.members.map((peer) => ({ ...peer, division: { among: 'a:1 b:1', over: [], owns: true } }));
  await exchange(world, 1);
  const own = names.filter((name) => world.roles.ownerOf(name) === 'a');
  const first = new Map(world.events.slice(0, names.length));
  for (const name of names) expect(first.get(name)?.type).toBe(own.includes(name) ? 'tick' : 'moved');
  expect(own.length).toBeGreaterThan(0);
  expect(own.length).toBeLessThan(names.length);
});

test('D-62: queues of a router that joins are moved while it has no share, and looked at once it has', async () => {
  const world = new NeighborWorld('a', 'b');
  const [own = ''] = world.ownedBy('a', 1);
  const queue = world.put(own, {});
  expect(queue.role.policy.perDestination).toBe(0);
  world.members = [...world.members, peerOf('c')];
  await exchange(world, 1);
  expect(world.events).toEqual([[own, { type: 'moved' }]]);
  world.agree();
  await exchange(world, 1);
  expect(queue.role.policy.perDestination).toBe(shareOf(policy.perDestination, { members: 3, isOwner: true }));
  expect(world.events.at(-1)).toEqual([own, { type: 'tick' }]);
});

test('D-62: who has no share yet says so; who had one once goes on to have one', async () => {
  const world = new NeighborWorld('a', 'b');
  await exchange(world, 1);
  world.agree();
  await exchange(world, 2);
  expect(world.told.map(({ division }) => division.owns)).toEqual([false, false, true]);
  world.members = [...world.members, peerOf('c')];
  await exchange(world, 1);
  expect([world.roles.isAgreed, world.last?.division.owns]).toEqual([false, true]);
});

test('D-62: a router tells where it has more in flight than the share that is left to it, until it has not', async () => {
  const world = new NeighborWorld('a');
  const { perDestination: limit } = policy;
  const [share, half] = [shareOf(limit, { members: 2, isOwner: true }), shareOf(limit, { members: 2, isOwner: false })];
  world.members = [peerOf('a'), peerOf('b')];
  const before = new NeighborWorld('a', 'b');
  const [[own = ''], [guest = '']] = [before.ownedBy('a', 1), before.ownedBy('b', 1)];
  world.put(own, { inFlight: share + 1 });
  world.put(guest, { inFlight: half });
  await exchange(world, 1);
  expect(world.told.map(({ division }) => division.over)).toEqual([[], [own]]);
  await exchange(world, 1);
  expect(world.last?.division.over).toEqual([own]);
  world.put(own, { inFlight: share });
  await exchange(world, 1);
  expect(world.last?.division.over).toEqual([]);
  // Shares do not shrink again while the members stay: nobody looks for what is over them.
  world.put(own, { inFlight: share + 1 });
  await exchange(world, 1);
  expect(world.last?.division.over).toEqual([]);
});

test('D-62: shares grow but for destinations of which another has too many in flight', async () => {
  const world = new NeighborWorld('a', 'b');
  world.agree(['crowded']);
  await exchange(world, 1);
  expect(world.roles.isAgreed).toBe(false);
  expect(world.roles.of('crowded').policy.perDestination).toBe(0);
  expect(world.roles.of('another').policy.perDestination).toBeGreaterThan(0);
  world.agree();
  await exchange(world, 1);
  expect(world.roles.isAgreed).toBe(true);
  expect(world.roles.of('crowded').policy.perDestination).toBeGreaterThan(0);
});

test('D-62: shares grow once all others count with the same members, not before', async () => {
  const world = new NeighborWorld('a', 'b', 'c');
  world.agree();
  const agreed = world.members;
  world.members = agreed.map((peer) => (peer.node === 'c' ? peerOf('c') : peer));
  await exchange(world, 1);
  expect(world.roles.isAgreed).toBe(false);
  world.members = agreed;
  await exchange(world, 1);
  expect(world.roles.isAgreed).toBe(true);
});

test('D-62: what a router says of itself is not waited for', async () => {
  const world = new NeighborWorld('a', 'b');
  world.agree();
  const own = { among: 'what it told before', over: ['d'], owns: false };
  world.members = world.members.map((peer) =>
    peer.node === 'a' ? { ...peer, division: { ...own, owns: true } } : peer,
  );
  await exchange(world, 1);
  expect(world.roles.isAgreed).toBe(true);
});

test('D-62: who tells nothing is waited for until its lease and its last request must be over', async () => {
  const world = new NeighborWorld('a', 'b');
  world.time.now += LEASE_MS + policy.deadlineMs - 1;
  await exchange(world, 1);
  expect(world.roles.isAgreed).toBe(false);
  world.time.now += 1;
  await exchange(world, 1);
  expect(world.roles.isAgreed).toBe(true);
});

test('D-62: who is stuck over its share is not waited for longer', async () => {
  const world = new NeighborWorld('a', 'b');
  world.agree(['d']);
  world.time.now += LEASE_MS + policy.deadlineMs;
  await exchange(world, 1);
  expect(world.roles.isAgreed).toBe(true);
});

test('D-62: shares are divided once, and queues left alone until members are others', async () => {
  const world = new NeighborWorld('a', 'b');
  world.agree();
  await exchange(world, 1);
  world.put('d', {});
  await exchange(world, 2);
  expect(world.events).toEqual([]);
});

test('D-25: a router states the circuits that are not closed, for all to see, and nothing where all are', async () => {
  const world = new NeighborWorld('a', 'b');
  const [[own = ''], [guest = '']] = [world.ownedBy('a', 1), world.ownedBy('b', 1)];
  for (const name of [own, guest]) world.put(name, {});
  await exchange(world, 1);
  expect(world.last?.division).not.toHaveProperty('openCircuits');
  for (const name of [own, guest]) world.put(name, { circuit: OPEN });
  await exchange(world, 1);
  expect(world.last?.division.openCircuits).toEqual([{ destination: own, state: 'open', probes: 2, probeAt: 7_000 }]);
});
