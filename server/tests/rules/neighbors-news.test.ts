import { expect, test } from 'vitest';
import { NeighborWorld, OPEN, peerOf } from '../support/neighbors.ts';

const LOST = new Error('no answer');

test('D-62: what waits in a queue of another is told to its owner, once', async () => {
  const world = new NeighborWorld('a', 'b');
  const { neighbors, told } = world;
  const [destination = ''] = world.ownedBy('b', 1);
  neighbors.tellWait(destination, { dueAt: 5, receivedAt: 3 });
  await neighbors.exchange();
  await neighbors.exchange();
  expect(told.map(({ waits }) => waits)).toEqual([[{ to: 'b', destination, dueAt: 5, receivedAt: 3 }], []]);
});

test('D-62: of several that wait for a destination, the earliest and the oldest are told', async () => {
  const { neighbors, told } = new NeighborWorld('a', 'b');
  neighbors.tellWait('d', { dueAt: 5, receivedAt: 3 });
  neighbors.tellWait('d', { dueAt: 4, receivedAt: 4 });
  neighbors.tellWait('d', { dueAt: 6, receivedAt: 2 });
  await neighbors.exchange();
  expect(told[0]?.waits).toMatchObject([{ dueAt: 4, receivedAt: 2 }]);
});

test('D-62: no more than five thousand waits are told at a time, the rest next time', async () => {
  const { neighbors, told } = new NeighborWorld('a', 'b');
  for (let count = 0; count <= 5_000; count += 1) neighbors.tellWait(`d${count}`, { dueAt: 5, receivedAt: 3 });
  await neighbors.exchange();
  await neighbors.exchange();
  expect(told.map(({ waits }) => waits.length)).toEqual([5_000, 1]);
  expect(told[1]?.waits[0]?.destination).toBe('d5000');
});

test('D-25: all hear of a circuit: that it is closed, or how many probes failed, and when the next is due', async () => {
  const world = new NeighborWorld('a', 'b');
  const { neighbors, told, time } = world;
  neighbors.tellCircuit(world.put('well', {}));
  neighbors.tellCircuit(world.put('open', { circuit: OPEN }));
  neighbors.tellCircuit(world.put('tried', { circuit: { state: 'half-open', probes: 3, probe: undefined } }));
  await neighbors.exchange();
  expect(told[0]?.circuits).toEqual([
    { destination: 'well', circuit: { state: 'closed' } },
    { destination: 'open', circuit: { state: 'open', probes: 2, probeAt: 7_000 } },
    { destination: 'tried', circuit: { state: 'open', probes: 3, probeAt: time.now } },
  ]);
  await neighbors.exchange();
  expect(told[1]?.circuits).toEqual([]);
});

test('D-25: a router that is alone has nobody to tell of circuits, and begins to when another comes', async () => {
  const world = new NeighborWorld('a');
  const { neighbors, told } = world;
  world.put('well', {});
  neighbors.tellCircuit(world.put('parked', { circuit: OPEN }));
  await neighbors.exchange();
  expect(told[0]?.circuits).toEqual([]);
  world.members = [peerOf('a'), peerOf('b')];
  await neighbors.exchange();
  expect(told.slice(1).map(({ circuits }) => circuits.map(({ destination }) => destination))).toEqual([[], ['parked']]);
});

test('D-62: what others tell is told to its queues', async () => {
  const world = new NeighborWorld('a', 'b');
  world.heard = {
    waits: [{ to: 'a', destination: 'd1', dueAt: 9, receivedAt: 8 }],
    circuits: [{ destination: 'd2', circuit: { state: 'closed' } }],
  };
  await world.neighbors.exchange();
  expect(world.events).toEqual([
    ['d1', { type: 'stored', dueAt: 9, receivedAt: 8 }],
    ['d2', { type: 'heard', circuit: { state: 'closed' } }],
  ]);
});

test('D-62: what was told in vain is told again, but for what is known better since', async () => {
  const world = new NeighborWorld('a', 'b');
  const { neighbors, told } = world;
  neighbors.tellWait('d', { dueAt: 5, receivedAt: 3 });
  neighbors.tellCircuit(world.put('same', { circuit: OPEN }));
  neighbors.tellCircuit(world.put('changed', { circuit: OPEN }));
  world.heard = LOST;
  const exchange = neighbors.exchange();
  neighbors.tellCircuit(world.put('changed', {}));
  await expect(exchange).rejects.toThrow(LOST);
  world.heard = {};
  await neighbors.exchange();
  expect(told[1]?.waits).toEqual([{ to: expect.any(String), destination: 'd', dueAt: 5, receivedAt: 3 }]);
  expect(told[1]?.circuits.toSorted((a, b) => (a.destination < b.destination ? -1 : 1))).toEqual([
    { destination: 'changed', circuit: { state: 'closed' } },
    { destination: 'same', circuit: { state: 'open', probes: 2, probeAt: 7_000 } },
  ]);
});

test('D-25: a router that missed news holds back no destination whose circuit others know better', async () => {
  const world = new NeighborWorld('a', 'b');
  const [[guest = ''], [own = '']] = [world.ownedBy('b', 1), world.ownedBy('a', 1)];
  for (const name of [guest, own]) world.put(name, { circuit: OPEN });
  world.heard = LOST;
  await expect(world.neighbors.exchange()).rejects.toThrow(LOST);
  expect(world.events).toEqual([[guest, { type: 'heard', circuit: { state: 'closed' } }]]);
});

test('NODE-4: after an exchange that failed, storage is read once', async () => {
  const world = new NeighborWorld('a', 'b');
  world.heard = LOST;
  for (let times = 0; times < 3; times += 1) await expect(world.neighbors.exchange()).rejects.toThrow(LOST);
  world.heard = {};
  for (let times = 0; times < 3; times += 1) await world.neighbors.exchange();
  expect(world.readings).toBe(1);
});
