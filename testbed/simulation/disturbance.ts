import type { Random } from '../../server/ports/random.ts';
import { seededRandom } from './seeded-random.ts';
import type { Arrival } from './arrival.ts';

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;
const DAY = 24 * HOUR;

/** What happens to the router itself: its wall clock is set, its event loop stands still, or it is killed and started. */
export type Disturbance = { readonly at: number } & (
  | { readonly kind: 'wall'; readonly byMs: number }
  | { readonly kind: 'stall'; readonly ms: number }
  /** `wallMs` is what the wall is set by while no router runs. */
  | { readonly kind: 'restart'; readonly downMs: number; readonly wallMs: number }
);

/** A span in which the router did nothing. */
export interface Interruption {
  readonly kind: 'stall' | 'restart';
  readonly from: number;
  readonly to: number;
}

/** Draws what befalls a world in its first hours; half of it, and every stall, right after an arrival. */
export function drawDisturbances(seed: number, arrivals: readonly Arrival[]): Disturbance[] {
  const random = seededRandom(seed ^ 0x5eed);
  const draw = (below: number): number => Math.floor(random() * below);
  /** Some attempt is under way then. */
  const underWay = (): number => (arrivals[draw(arrivals.length)]?.at ?? 0) + draw(100);
  const moment = (): number => (random() < 0.5 ? draw(5 * HOUR) : underWay());
  const several = (most: number, when = moment): number[] => Array.from({ length: draw(most + 1) }, when);
  return [
    ...several(4).map((at) => ({ at, kind: 'wall' as const, byMs: drawStep(random) })),
    ...several(3, underWay).map((at) => ({
      at,
      kind: 'stall' as const,
      ms: drawSpan(random, SECOND / 2, 30 * SECOND),
    })),
    ...several(2).map((at) => ({
      at,
      kind: 'restart' as const,
      downMs: drawSpan(random, SECOND, 6 * HOUR),
      wallMs: random() < 0.5 ? 0 : drawStep(random),
    })),
  ].toSorted((a, b) => a.at - b.at);
}

/** Seconds to days, in either direction. */
function drawStep(random: Random): number {
  return (random() < 0.5 ? -1 : 1) * drawSpan(random, SECOND, 3 * DAY);
}

/** Short ones as often as long ones. */
function drawSpan(random: Random, least: number, most: number): number {
  return Math.round(least * (most / least) ** random());
}

/** How much later than in an undisturbed world things may happen: the router was away, stood still, or lost its clock. */
export function delayBy(disturbances: readonly Disturbance[], windowMs: number): number {
  const restarts = disturbances.filter(({ kind }) => kind === 'restart');
  const away = sum(disturbances.map((one) => (one.kind === 'restart' ? one.downMs : 0)));
  // A running router does not mind. The next one cannot see for how long a clock that has gone back was not read.
  const lost = sum(disturbances.map((one) => Math.min(Math.max(0, -stepOf(one)), windowMs + away)));
  // What was under way is tried again after the first wait.
  const stalled = sum(disturbances.map((one) => (one.kind === 'stall' ? one.ms + AGAIN_MS : 0)));
  return away + stalled + restarts.length * AGAIN_MS + (restarts.length === 0 ? 0 : lost);
}

const AGAIN_MS = 15 * SECOND;

function stepOf(one: Disturbance): number {
  if (one.kind === 'wall') return one.byMs;
  return one.kind === 'restart' ? one.wallMs : 0;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
