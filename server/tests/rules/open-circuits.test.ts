import { expect, test } from 'vitest';
import type { Circuit } from '../../delivery/circuit.ts';
import { newQueue } from '../../delivery/destination-queue.ts';
import { openCircuits, toldBy, toldCircuits } from '../../delivery/open-circuits.ts';
import type { Queue } from '../../delivery/scheduler.ts';
import { deliveryId } from '../../model/delivery.ts';
import { DEFAULT_POLICY as policy } from '../../model/policy.ts';
import type { OpenCircuit } from '../../storage/members.ts';

const OPEN: Circuit = { state: 'open', probes: 2, probeAt: 5_000 };
const [A, B] = ['workspaces/a', 'workspaces/b'];

interface Given {
  readonly circuit?: Circuit;
  readonly isOwner?: boolean;
  readonly workspace?: Queue['workspace'];
}

function queueOf(destination: string, given: Given = {}): Queue {
  const { circuit = OPEN, isOwner = true, workspace = { queues: 1, inFlight: 0 } } = given;
  const state = { ...newQueue(policy), circuit };
  return { destination, workspace, claims: [], trials: 0, role: { isOwner, policy }, state };
}

/** What a router knows of those of these queues that have one of these names; of all of them when not given. */
function known(queues: readonly Queue[], names = queues.map(({ destination }) => destination)): OpenCircuit[] {
  const all = new Map(queues.map((queue) => [queue.destination, queue]));
  return openCircuits({ known: (name) => all.get(name) }, names);
}

function destinationsOf(workspace: string, count: number, given: Given = {}): Queue[] {
  const shared = { ...given, workspace: { queues: count, inFlight: 0 } };
  return Array.from({ length: count }, (_, at) => queueOf(`${workspace}/sources/s/destinations/d${at}`, shared));
}

test('D-25: an open circuit is told with its failed probes, and when the next is due', () => {
  expect(known([queueOf('d')])).toEqual([{ destination: 'd', state: 'open', probes: 2, probeAt: 5_000 }]);
});

test('D-25: a half-open circuit is told with its probe, once storage has answered with one', () => {
  const probe = deliveryId('7');
  const asked: Circuit = { state: 'half-open', probes: 1, probe: undefined };
  const queues = [queueOf('asked', { circuit: asked }), queueOf('tried', { circuit: { ...asked, probe } })];
  expect(known(queues)).toStrictEqual([
    { destination: 'asked', state: 'half-open', probes: 1 },
    { destination: 'tried', state: 'half-open', probes: 1, probe },
  ]);
});

test('D-62: closed circuits are not told, nor those of queues that another router owns', () => {
  const closed: Circuit = { state: 'closed', limit: 4, failures: 9 };
  const queues = [queueOf('closed', { circuit: closed }), queueOf('of another', { isOwner: false }), queueOf('own')];
  expect(known(queues, ['closed', 'of another', 'own', 'unknown']).map(({ destination }) => destination)).toEqual([
    'own',
  ]);
});

test('D-25: however many circuits are open, a router tells the one that it is asked for', () => {
  const queues = destinationsOf(A, 1_500);
  const last = `${A}/sources/s/destinations/d1499`;
  expect(known(queues, [last])).toEqual([{ destination: last, state: 'open', probes: 2, probeAt: 5_000 }]);
  expect(known(queues)).toHaveLength(1_500);
});

test('SAFE-2: of more than a thousand, workspaces take turns in what other routers are told, and how many they are is told', () => {
  const queues = [...destinationsOf(A, 1_500), ...destinationsOf(A, 9, { isOwner: false }), ...destinationsOf(B, 3)];
  const { openCircuits: told = [], parked } = toldCircuits(new Set(queues));
  expect(told).toHaveLength(1_000);
  expect(told.filter(({ destination }) => destination.startsWith(B))).toHaveLength(3);
  expect(parked).toEqual({ [A]: 1_500, [B]: 3 });
});

test('up to a thousand are told one by one alone, and of none nothing', () => {
  const { openCircuits: told = [], ...others } = toldCircuits(new Set(destinationsOf(A, 999)));
  expect([told.length, others]).toEqual([999, {}]);
  expect(toldCircuits(new Set(destinationsOf(A, 2, { isOwner: false })))).toEqual({});
});

test('D-25: of a workspace as many are counted as routers have, and those are known that they told', () => {
  const [one, two, three] = [0, 1, 2].map((at) => known(destinationsOf(A, 3)).slice(at, at + 1));
  const member = { node: 'n', epoch: 1, name: 'n', version: '', startedAt: 0, lastBeatAt: 0, held: 0 };
  const others = [
    { ...member, openCircuits: two ?? [], parked: { [A]: 70, [B]: 4 } },
    { ...member, openCircuits: three ?? [] },
    member,
  ];
  const own = one ?? [];
  const destinations = [...own, ...(two ?? [])].map(({ destination }) => destination);
  expect(toldBy(others, { name: A, destinations, own })).toEqual({ circuits: [...own, ...(two ?? [])], count: 71 });
});
