import { expect, test } from 'vitest';
import type { Circuit } from '../../delivery/circuit.ts';
import { newQueue } from '../../delivery/destination-queue.ts';
import { openCircuits, type Queue } from '../../delivery/scheduler.ts';
import { deliveryId } from '../../model/delivery.ts';
import { DEFAULT_POLICY as policy } from '../../model/policy.ts';

const OPEN: Circuit = { state: 'open', probes: 2, probeAt: 5_000 };

function queueOf(destination: string, circuit: Circuit, isOwner = true): Queue {
  const workspace = { queues: 1, inFlight: 0 };
  const [role, state] = [
    { isOwner, policy },
    { ...newQueue(policy), circuit },
  ];
  return { destination, workspace, claims: [], trials: 0, role, state };
}

test('D-25: an open circuit is told with its failed probes, and when the next is due', () => {
  expect(openCircuits([queueOf('d', OPEN)])).toEqual([{ destination: 'd', state: 'open', probes: 2, probeAt: 5_000 }]);
});

test('D-25: a half-open circuit is told with its probe, once storage has answered with one', () => {
  const probe = deliveryId('7');
  const asked: Circuit = { state: 'half-open', probes: 1, probe: undefined };
  expect(openCircuits([queueOf('asked', asked), queueOf('tried', { ...asked, probe })])).toStrictEqual([
    { destination: 'asked', state: 'half-open', probes: 1 },
    { destination: 'tried', state: 'half-open', probes: 1, probe },
  ]);
});

test('D-62: closed circuits are not told, nor those of queues that another router owns', () => {
  const closed: Circuit = { state: 'closed', limit: 4, failures: 9 };
  const queues = [queueOf('closed', closed), queueOf('of another', OPEN, false), queueOf('own', OPEN)];
  expect(openCircuits(queues).map(({ destination }) => destination)).toEqual(['own']);
});

test('no more than a thousand circuits are told', () => {
  const queues = Array.from({ length: 1_001 }, (_, index) => queueOf(`d${index}`, OPEN));
  expect([openCircuits(queues.slice(0, 1_000)).length, openCircuits(queues).length]).toEqual([1_000, 1_000]);
});
