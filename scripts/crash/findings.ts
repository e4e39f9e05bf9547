import type { Arrivals } from './arrivals.ts';
import type { Wreck } from './wreck.ts';

export interface KilledWreck extends Wreck {
  /** Ids of messages of which a round was being tried that no wreck before had: one may lie there for long. */
  readonly trying: readonly string[];
  /** Ids of what the receiver had taken of the router that was killed. */
  readonly taken: ReadonlySet<string>;
}

/** What the kills of a run left, gathered. */
export interface Traces {
  /** Ids of the messages that were answered 200. */
  readonly acknowledged: ReadonlySet<string>;
  readonly arrivals: Pick<Arrivals, 'byId' | 'broken'>;
  /** What each kill left, in order. */
  readonly wrecks: readonly KilledWreck[];
  /** What the last router left that was stopped, and not killed. */
  readonly rest: Wreck;
}

export interface Findings {
  readonly acknowledged: number;
  /** Answered 200, and never taken by the receiver: must be 0 (ING-10). */
  readonly lost: number;
  /** Of these, how many the receiver was never asked to take; it refused the others. */
  readonly unsent: number;
  /** Answered 200, and not in the store right after a kill: must be 0 (ING-10). */
  readonly unstored: number;
  /** Taken once more than was needed, over all messages (D-32). */
  readonly repeated: number;
  /** The most that `repeated` may be: what the receiver had taken at the kills, and was not written down yet. */
  readonly inFlight: number;
  /** Messages that were repeated, and were not being tried at so many kills: must be 0. */
  readonly beyondBound: number;
  /** Deliveries that had not ended when everything should have: must be 0. */
  readonly stuck: number;
  /** Stores that could not be opened again: must be 0. */
  readonly damaged: number;
  /** Requests whose body breaks the contract: must be 0 (HOOK-12). */
  readonly broken: number;
}

export function findingsOf({ acknowledged, arrivals: { byId: arrivals, broken }, wrecks, rest }: Traces): Findings {
  const atRisk = new Map<string, number>();
  for (const id of wrecks.flatMap(({ trying }) => trying)) atRisk.set(id, (atRisk.get(id) ?? 0) + 1);
  const lost = [...acknowledged].filter((id) => (arrivals.get(id)?.taken ?? 0) === 0);
  const repeats = [...arrivals].map(([id, { taken }]) => ({ id, times: Math.max(0, taken - 1) }));
  return {
    acknowledged: acknowledged.size,
    lost: lost.length,
    unsent: lost.filter((id) => !arrivals.has(id)).length,
    unstored: sum(wrecks.map(({ unknown }) => unknown.length)),
    repeated: sum(repeats.map(({ times }) => times)),
    inFlight: sum(wrecks.map(({ trying, taken }) => trying.filter((id) => taken.has(id)).length)),
    beyondBound: repeats.filter(({ id, times }) => times > (atRisk.get(id) ?? 0)).length,
    stuck: rest.unended.length,
    damaged: [...wrecks, rest].filter(({ damage }) => damage !== undefined).length,
    broken,
  };
}

/** What is wrong, in words; empty when all promises were kept. */
export function faultsOf(findings: Findings): string[] {
  const { lost, unsent, unstored, repeated, inFlight, beyondBound, stuck, damaged, broken } = findings;
  const faults: [number, string][] = [
    [lost, `acknowledged and never delivered: ${unsent} never sent, ${lost - unsent} refused each time`],
    [unstored, 'acknowledged and not on disk after a kill'],
    [beyondBound, 'repeated without having been tried at a kill'],
    [repeated - inFlight, 'more repeated than was in flight at the kills'],
    [stuck, 'stuck: not ended when everything should have'],
    [damaged, 'delivery stores damaged'],
    [broken, 'requests with a body that breaks the contract'],
  ];
  return faults.filter(([count]) => count > 0).map(([count, words]) => `${count} ${words}`);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
