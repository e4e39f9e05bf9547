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
  /** Ids of messages, one for each attempt that a router gave up as it had stood still itself. */
  readonly stalled: readonly string[];
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
  /** What the receiver had taken at the kills, and was not written down yet: with `stalled`, the most that `repeated` may be. */
  readonly inFlight: number;
  /** What the receiver may have taken, and a router gave up, as it had stood still itself: on a starved machine it does. */
  readonly stalled: number;
  /** Messages that were repeated, and were not being tried at so many kills, or given up so often: must be 0. */
  readonly beyondBound: number;
  /** Deliveries that had not ended when everything should have: must be 0. */
  readonly stuck: number;
  /** Stores that could not be opened again, or looked through: must be 0 … */
  readonly damaged: number;
  /** … and what was wrong with the first of them. */
  readonly damage: string | undefined;
  /** Requests whose body breaks the contract: must be 0 (HOOK-12). */
  readonly broken: number;
}

export function findingsOf({ acknowledged, arrivals, wrecks, stalled, rest }: Traces): Findings {
  const { byId, broken } = arrivals;
  const atRisk = new Map<string, number>();
  for (const id of [...wrecks.flatMap(({ trying }) => trying), ...stalled]) atRisk.set(id, (atRisk.get(id) ?? 0) + 1);
  const lost = [...acknowledged].filter((id) => (byId.get(id)?.taken ?? 0) === 0);
  const damages = [...wrecks, rest].flatMap(({ damage }) => damage ?? []);
  const repeats = [...byId].map(([id, { taken }]) => ({ id, times: Math.max(0, taken - 1) }));
  return {
    acknowledged: acknowledged.size,
    lost: lost.length,
    unsent: lost.filter((id) => !byId.has(id)).length,
    unstored: sum(wrecks.map(({ unknown }) => unknown.length)),
    repeated: sum(repeats.map(({ times }) => times)),
    inFlight: sum(wrecks.map(({ trying, taken }) => trying.filter((id) => taken.has(id)).length)),
    stalled: stalled.length,
    beyondBound: repeats.filter(({ id, times }) => times > (atRisk.get(id) ?? 0)).length,
    stuck: rest.unended.length,
    damaged: damages.length,
    damage: damages[0],
    broken,
  };
}

/** What is wrong, in words; empty when all promises were kept. */
export function faultsOf(findings: Findings): string[] {
  const {
    lost,
    unsent,
    unstored,
    repeated,
    inFlight,
    stalled: givenUp,
    beyondBound,
    stuck,
    damaged,
    damage = '',
    broken,
  } = findings;
  const faults: [number, string][] = [
    [lost, `acknowledged and never delivered: ${unsent} never sent, ${lost - unsent} refused each time`],
    [unstored, 'acknowledged and not on disk after a kill'],
    [beyondBound, 'repeated without having been tried at a kill'],
    [repeated - inFlight - givenUp, 'more repeated than was in flight at the kills, or given up'],
    [stuck, 'stuck: not ended when everything should have'],
    [damaged, `delivery stores damaged: ${damage}`],
    [broken, 'requests with a body that breaks the contract'],
  ];
  return faults.filter(([count]) => count > 0).map(([count, words]) => `${count} ${words}`);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/** Ids of messages, one for each attempt that a router gave up as it had stood still itself, by its log. */
export function givenUpIn(log: string): string[] {
  const lines = log.split('\n').filter((line) => line.includes('"router_stalled"') && line.endsWith('}'));
  return lines.map((line) => {
    const { messageId }: { messageId: string } = JSON.parse(line);
    return messageId;
  });
}
