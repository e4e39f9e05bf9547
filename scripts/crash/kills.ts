import { type Crash, CRASH_POINTS, type CrashPoint } from './crash-points.ts';

/** How a router is ended: at a point, or after it has been under load for so long. */
export type Kill = { readonly crash: Crash } | { readonly afterMs: number };

/** The latest pass that is chosen: what happens seldom is not waited for long. */
const MAX_PASSES: Readonly<Partial<Record<CrashPoint, number>>> = {
  'claim:before-commit': 4,
  'claim:after-commit': 4,
  'purge:before-commit': 3,
  'purge:between-deletions': 2,
  'join:before-commit': 1,
  'join:after-commit': 1,
};
const PASSES = 20;

/** Every point in turn, and a moment by chance between each two. */
export function planKills(count: number, random: () => number): Kill[] {
  return Array.from({ length: count }, (_, index) => {
    if (index % 2 === 0) return { afterMs: Math.round(20 + random() * 300) };
    const point = CRASH_POINTS[Math.floor(index / 2) % CRASH_POINTS.length] ?? CRASH_POINTS[0];
    const most = MAX_PASSES[point] ?? PASSES;
    return { crash: { point, pass: 1 + Math.floor(random() * most) } };
  });
}
