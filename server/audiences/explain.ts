import { storable } from '../model/json-values.ts';
import type { Profile, Tile } from '../storage/profile-storage.ts';
import { compares } from './compare.ts';
import type { Comparison, Measured, Origin, Plan } from './plan.ts';
import { valueOfTiles } from './tile-values.ts';

/** What is known of the user. */
export interface Known extends Pick<Profile, 'traits'> {
  /** Of each aggregate in the plan. */
  readonly valueOf: (measured: Measured) => unknown;
}

/** The same, with the tiles of all measures in the plan, of which values at other hours can be made. */
export interface KnownTiles extends Pick<Profile, 'traits'> {
  readonly tiles: readonly Tile[];
}

/** A plan with what each part of it comes to for one user. */
export type Explained = Origin & { readonly holds: boolean } & (
    | { readonly kind: 'all' | 'any' | 'not'; readonly of: readonly Explained[] }
    | { readonly kind: 'trait'; readonly name: string; readonly value: unknown; readonly is: Comparison }
    | { readonly kind: 'measured'; readonly measured: Measured; readonly value: unknown; readonly is: Comparison }
  );

export function explain(plan: Plan, known: Known): Explained {
  const { from } = plan;
  switch (plan.kind) {
    case 'all':
    case 'any': {
      const of = plan.of.map((one) => explain(one, known));
      const holds = plan.kind === 'all' ? of.every((one) => one.holds) : of.some((one) => one.holds);
      return { kind: plan.kind, from, holds, of };
    }
    case 'not': {
      const inner = explain(plan.of, known);
      return { kind: 'not', from, holds: !inner.holds, of: [inner] };
    }
    case 'trait': {
      const value = traitOf(known, plan.name);
      return { ...plan, value, holds: compares(value, plan.is) };
    }
    case 'measured': {
      const value = known.valueOf(plan.value);
      return { kind: 'measured', from, measured: plan.value, value, is: plan.is, holds: compares(value, plan.is) };
    }
  }
}

/** Its name may have what a storage cannot hold, and stands there with U+FFFD instead. */
function traitOf({ traits }: Pick<Known, 'traits'>, name: string): unknown {
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
export function hourOfChange(planAt: (hour: number) => Plan, now: number, known: KnownTiles): number | undefined {
  const holds = (hour: number): boolean => explain(planAt(hour), byTiles(known)).holds;
  const before = holds(now);
  const windows = measuredIn(planAt(now));
  const looks = 1 + known.tiles.length * windows.length;
  const hours = changesOf(windows, measuredIn(planAt(now + 1)), now, known).slice(0, Math.floor(MOST_LOOKS / looks));
  return hours.find((hour) => holds(hour) !== before);
}

/** By the values of a profile that was asked for these. */
export function byValues({ traits, values }: Pick<Profile, 'traits' | 'values'>, asked: readonly Measured[]): Known {
  return { traits, valueOf: (measured) => values[asked.indexOf(measured)] };
}

export function byTiles({ traits, tiles }: KnownTiles): Known {
  return { traits, valueOf: (measured) => valueOfTiles(measured, tiles) };
}

/** Hours at which a tile is in a window no more, or is in it then; those of windows that do not move are in no list. */
function changesOf(
  windows: readonly Measured[],
  later: readonly Measured[],
  now: number,
  { tiles }: KnownTiles,
): number[] {
  const hours = windows.flatMap(({ measure, hours: { from, to } }, index) => {
    const moves = from !== undefined && later[index]?.hours.from !== from;
    return tiles.flatMap((tile) => {
      if (tile.measure !== measure) return [];
      const entered = tile.hour + now - to;
      return moves ? [entered, tile.hour + now - from + 1] : [entered];
    });
  });
  return [...new Set(hours)].filter((hour) => hour > now).toSorted((one, other) => one - other);
}
