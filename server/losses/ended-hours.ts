import type { RoundRecord } from '../model/delivery.ts';
import { workspaceOf } from '../model/resource-names.ts';
import type { HourlyCounts } from './hourly-counts.ts';

/** So many destinations of a workspace, and of all of them, are noted in an hour as having lost something. */
const [MOST_NOTED, MOST_IN_ALL] = [1_000, 100_000];
const HOUR = 3_600_000;

/** Of what the deliveries are counted that each destination of a workspace lost. */
export function lostIn(workspace: string): string {
  return `${workspace}/lost`;
}

/**
 * Counts what became of deliveries of each workspace in each hour, and which destinations lost some: there may be too many of them for
 * whoever looks to go through all.
 */
export function countEnded(counts: Pick<HourlyCounts, 'sumOf'>) {
  const noted = new Noted();
  return {
    ended({
      destination,
      verdict: { state },
      endedAt,
    }: Pick<RoundRecord, 'destination' | 'verdict' | 'endedAt'>): void {
      if (state === 'pending' || state === 'cancelled') return;
      const workspace = workspaceOf(destination);
      counts.sumOf(workspace, endedAt, state).count += 1;
      if (state === 'delivered' || !noted.note(workspace, destination, endedAt)) return;
      counts.sumOf(lostIn(workspace), endedAt, destination).count += 1;
    },
  };
}

/** Destinations that are noted in the present hour. */
class Noted {
  #hour = 0;
  #all = new Set<string>();
  /** How many they are, by workspace. */
  #counts = new Map<string, number>();

  /** Where there is room; answers whether it is noted. */
  note(workspace: string, destination: string, at: number): boolean {
    const hour = Math.floor(at / HOUR);
    if (hour !== this.#hour) [this.#hour, this.#all, this.#counts] = [hour, new Set(), new Map()];
    if (this.#all.has(destination)) return true;
    const count = this.#counts.get(workspace) ?? 0;
    if (count === MOST_NOTED || this.#all.size === MOST_IN_ALL) return false;
    this.#all.add(destination);
    this.#counts.set(workspace, count + 1);
    return true;
  }
}
