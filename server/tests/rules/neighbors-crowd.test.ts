import { expect, test } from 'vitest';
import { NeighborWorld, OPEN, peerOf } from '../support/neighbors.ts';

const QUEUES = 1_200;

/** A router alone, with so many queues, that is about to hear of another. */
function crowded(): NeighborWorld {
  const world = new NeighborWorld('a');
  for (let number = 0; number < QUEUES; number += 1) world.put(`d${number}`, { ready: 1 });
  return world;
}

/** Whether each queue has the role that it is to have. */
function areDivided({ scheduler, roles }: NeighborWorld): boolean {
  return scheduler.all().every(({ destination, role }) => {
    const { isOwner, policy } = roles.of(destination);
    return role.isOwner === isOwner && role.policy.perDestination === policy.perDestination;
  });
}

test('SAFE-2: however many queues get other roles, others have their turn meanwhile', async () => {
  const world = crowded();
  const toldAtTurns = [0];
  world.neighbors.meet([peerOf('a'), peerOf('b')]);
  for (let turn = 0; turn < 1_000; turn += 1) {
    toldAtTurns.push(world.events.length);
    await Promise.resolve();
  }
  expect(toldAtTurns.at(-1)).toBe(QUEUES);
  expect(Math.max(...toldAtTurns.map((told, turn) => told - (toldAtTurns[turn - 1] ?? 0)))).toBe(500);
});

test('HOOK-24, D-62: with whom limits are divided is told once all queues have their shares, not before', async () => {
  const world = crowded();
  world.members = [peerOf('a'), peerOf('b')];
  world.neighbors.meet(world.members);
  const exchanged = world.neighbors.exchange();
  while (world.told.length === 0) {
    expect(world.events.length).toBeLessThanOrEqual(QUEUES);
    await Promise.resolve();
  }
  expect(world.events.length).toBe(QUEUES);
  await exchanged;
  expect(world.told.map(({ division }) => division?.among)).toEqual([world.roles.among]);
});

test('D-62: where members change again while roles are given, each queue gets that of the last members', async () => {
  const world = crowded();
  world.neighbors.meet([peerOf('a'), peerOf('b')]);
  while (world.events.length === 0) await Promise.resolve();
  world.members = [peerOf('a'), peerOf('b'), peerOf('c')];
  world.neighbors.meet(world.members);
  await world.neighbors.exchange();
  expect(areDivided(world)).toBe(true);
  // The first division ended where the second began.
  expect(world.events.length).toBe(500 + QUEUES);
});

test('SAFE-2: after news that were missed, those queues alone are told of whose circuits something was known', async () => {
  const world = crowded();
  world.members = [peerOf('a'), peerOf('b')];
  await world.neighbors.exchange();
  const [guest = ''] = world.ownedBy('b', 1);
  world.put(guest, { circuit: OPEN });
  world.events.length = 0;
  world.heard = new Error('cut off');
  await expect(world.neighbors.exchange()).rejects.toThrow('cut off');
  expect(world.events).toEqual([[guest, { type: 'heard', circuit: { state: 'closed' } }]]);
});

test('NODE-4, D-62: what others say waits in a queue that has become its own is told to it in that role', async () => {
  const world = crowded();
  world.members = [peerOf('a'), peerOf('b')];
  await world.neighbors.exchange();
  const theirs = world.ownedBy('b', 1)[0] ?? '';
  // With the word that b is gone comes what b handed over.
  world.members = [peerOf('a')];
  world.heard = { waits: [{ to: 'a', destination: theirs, dueAt: 9, receivedAt: 8 }] };
  world.events.length = 0;
  await world.neighbors.exchange();
  const heard = world.events.filter(([destination]) => destination === theirs).map(([, { type }]) => type);
  expect(heard.slice(0, 2)).toEqual(['moved', 'stored']);
});
