import { storable } from '../model/json-values.ts';
import type { Profile } from '../storage/profile-storage.ts';
import { compares } from './compare.ts';
import type { Comparison, Measured, Plan } from './plan.ts';
import { valueOfTiles } from './tile-values.ts';

/** What is known of the user: with the tiles of all measures of the plan. */
export type Known = Pick<Profile, 'traits' | 'tiles'>;

/** A plan with what each part of it comes to for one user. */
export type Explained = { readonly holds: boolean } & (
  | { readonly kind: 'all' | 'any' | 'not'; readonly of: readonly Explained[] }
  | { readonly kind: 'trait'; readonly name: string; readonly value: unknown; readonly is: Comparison }
  | { readonly kind: 'measured'; readonly measured: Measured; readonly value: unknown; readonly is: Comparison }
);

export function explain(plan: Plan, known: Known): Explained {
  switch (plan.kind) {
    case 'all':
    case 'any': {
      const of = plan.of.map((one) => explain(one, known));
      const holds = plan.kind === 'all' ? of.every((one) => one.holds) : of.some((one) => one.holds);
      return { kind: plan.kind, holds, of };
    }
    case 'not': {
      const inner = explain(plan.of, known);
      return { kind: 'not', holds: !inner.holds, of: [inner] };
    }
    case 'trait': {
      const value = traitOf(known, plan.name);
      return { ...plan, value, holds: compares(value, plan.is) };
    }
    case 'measured': {
      const value = valueOfTiles(plan.value, known.tiles);
      return { kind: 'measured', measured: plan.value, value, is: plan.is, holds: compares(value, plan.is) };
    }
  }
}

/** Its name may have what a storage cannot hold, and stands there with U+FFFD instead. */
function traitOf({ traits }: Known, name: string): unknown {
  const stored = [name, name.toWellFormed(), storable(name)].find((one) => Object.hasOwn(traits, one));
  return stored === undefined ? undefined : traits[stored];
}

export function measuredIn(plan: Plan): Measured[] {
  switch (plan.kind) {
    case 'all':
    case 'any':
      return plan.of.flatMap(measuredIn);
    case 'not':
      return measuredIn(plan.of);
    case 'trait':
      return [];
    case 'measured':
      return [plan.value];
  }
}

/** Looks at tiles, in total, for a change to come: a few milliseconds. */
const MOST_LOOKS = 200_000;

/**
 * The first hour after this one at which a plan comes to something else, if no more events come: only then does a tile leave a
 * window, or enter one. Undefined where there is none, or none that is found soon.
 */
export function hourOfChange(planAt: (hour: number) => Plan, now: number, known: Known): number | undefined {
  const holds = (hour: number): boolean => explain(planAt(hour), known).holds;
  const before = holds(now);
  const windows = measuredIn(planAt(now));
  const looks = 1 + known.tiles.length * windows.length;
  const hours = changesOf(windows, measuredIn(planAt(now + 1)), now, known).slice(0, Math.floor(MOST_LOOKS / looks));
  return hours.find((hour) => holds(hour) !== before);
}

/** Hours at which a tile is in a window no more, or is in it then; those of windows that do not move are in no list. */
function changesOf(windows: readonly Measured[], later: readonly Measured[], now: number, known: Known): number[] {
  const hours = windows.flatMap(({ measure, hours: { from, to } }, index) => {
    const moves = from !== undefined && later[index]?.hours.from !== from;
    return known.tiles.flatMap((tile) => {
      if (tile.measure !== measure) return [];
      const entered = tile.hour + now - to;
      return moves ? [entered, tile.hour + now - from + 1] : [entered];
    });
  });
  return [...new Set(hours)].filter((hour) => hour > now).toSorted((one, other) => one - other);
}
