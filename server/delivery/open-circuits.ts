import { workspaceOf } from '../model/resource-names.ts';
import type { Member, OpenCircuit, Statement } from '../storage/members.ts';
import type { Queue, Scheduler, Workspace } from './scheduler.ts';

/** So many are told one by one to those who share a storage: twice a second all of them are written there. */
const MAX_TOLD = 1_000;

/**
 * Circuits that are not closed of the destinations of what has this name: of a workspace, or of one of them. Where others have more of
 * them than they tell one by one, `count` is greater.
 */
export type ReadCircuits = (name: string, destinations: readonly string[]) => Promise<OpenCircuits>;

export interface OpenCircuits {
  readonly circuits: readonly OpenCircuit[];
  readonly count: number;
}

/** The circuits of these destinations that are not closed, of queues that this router owns: where others own them, they tell. */
export function openCircuits(queues: Pick<Scheduler, 'known'>, destinations: readonly string[]): OpenCircuit[] {
  return destinations.flatMap((destination) => {
    const queue = queues.known(destination);
    return (queue && circuitOf(queue)) ?? [];
  });
}

function circuitOf({ destination, role, state: { circuit } }: Queue): OpenCircuit | undefined {
  if (!role.isOwner || circuit.state === 'closed') return undefined;
  const { state, probes } = circuit;
  if (state === 'open') return { destination, state, probes, probeAt: circuit.probeAt };
  return { destination, state, probes, ...(circuit.probe && { probe: circuit.probe }) };
}

interface Wanted {
  readonly name: string;
  readonly destinations: readonly string[];
  /** What this router knows itself. */
  readonly own: readonly OpenCircuit[];
}

/** With what others have told. */
export function toldBy(others: readonly Member[], { name, destinations, own }: Wanted): OpenCircuits {
  const wanted = new Set(destinations);
  const told = others.map(({ openCircuits: all = [], parked }) => {
    const circuits = all.filter(({ destination }) => wanted.has(destination));
    return { circuits, count: parked?.[name] ?? circuits.length };
  });
  return {
    circuits: [...own, ...told.flatMap(({ circuits }) => circuits)],
    count: told.reduce((sum, { count }) => sum + count, own.length),
  };
}

/** Of one workspace. */
interface Parked {
  readonly name: string;
  readonly first: Queue[];
  count: number;
}

/**
 * What a router tells of circuits that are not closed. Beyond the most, workspaces take turns: however many one has, those of another are
 * seen; and how many they are is told.
 */
export function toldCircuits(parked: ReadonlySet<Queue>): Pick<Statement, 'openCircuits' | 'parked'> {
  const own = byWorkspace(parked);
  const told = inTurns(own);
  if (told.length === 0) return {};
  const circuits = told.flatMap((queue) => circuitOf(queue) ?? []);
  if (told.length < MAX_TOLD) return { openCircuits: circuits };
  const largest = own.toSorted((one, other) => other.count - one.count).slice(0, MAX_TOLD);
  return { openCircuits: circuits, parked: Object.fromEntries(largest.map(({ name, count }) => [name, count])) };
}

function byWorkspace(parked: ReadonlySet<Queue>): Parked[] {
  const found = new Map<Workspace, Parked>();
  for (const queue of parked) {
    if (!queue.role.isOwner) continue;
    let own = found.get(queue.workspace);
    if (own === undefined)
      found.set(queue.workspace, (own = { name: workspaceOf(queue.destination), first: [], count: 0 }));
    own.count += 1;
    if (own.count <= MAX_TOLD) own.first.push(queue);
  }
  return [...found.values()];
}

function inTurns(own: readonly Parked[]): Queue[] {
  const told: Queue[] = [];
  for (let at = 0; told.length < MAX_TOLD; at += 1) {
    const next = own.flatMap(({ first }) => first[at] ?? []);
    if (next.length === 0) break;
    told.push(...next.slice(0, MAX_TOLD - told.length));
  }
  return told;
}
