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
  'reap:before-commit': 2,
  'reap:after-commit': 1,
};
const PASSES = 20;

/** What there is to choose from. */
export interface KillChoice {
  readonly points: readonly CrashPoint[];
  /** So long a router lives at most that is killed by chance. */
  readonly maxMs: number;
}

const ALONE: KillChoice = { points: CRASH_POINTS, maxMs: 320 };

/** Every point in turn, and a moment by chance between each two. */
export function planKills(count: number, random: () => number, { points, maxMs }: KillChoice = ALONE): Kill[] {
  return Array.from({ length: count }, (_, index) => {
    if (index % 2 === 0) return { afterMs: Math.round(20 + random() * (maxMs - 20)) };
    const point = points[Math.floor(index / 2) % points.length] ?? CRASH_POINTS[0];
    const most = MAX_PASSES[point] ?? PASSES;
    return { crash: { point, pass: 1 + Math.floor(random() * most) } };
  });
}

/** Users that a sync tells in one commit. */
const PAGE = 500;
const TELLS = ['tell:before', 'tell:during', 'tell:after'] as const;

/**
 * In the order in which a first sync comes by: each step before and after its commit, and for the rest of the count one page of
 * users after the other, with a moment by chance between some.
 */
export function planSyncKills(count: number, members: number, random: () => number): Kill[] {
  const folds = 1 + Math.floor(members / 4_000);
  const first: Kill[] = [
    at('startSync:before'),
    at('startSync:after'),
    ...(['fold:before', 'fold:during', 'fold:after'] as const).map((point) => at(point, folds)),
    ...(['compute:before', 'compute:during', 'compute:after'] as const).map((point) => at(point)),
    ...(['computedSync:before', 'computedSync:after'] as const).map((point) => at(point)),
  ];
  const last = (['endSync:before', 'endSync:during'] as const).map((point) => at(point));
  const pages = Math.max(0, count - first.length - last.length);
  const passes = Math.max(1, Math.floor((0.9 * members) / PAGE / Math.max(1, pages)));
  const between = Array.from({ length: pages }, (_, index): Kill => {
    // Where there are few pages, a moment by chance may be behind the last.
    if (passes > 1 && index % 5 === 4) return { afterMs: Math.round(random() * 1_500) };
    return at(TELLS[index % TELLS.length] ?? 'tell:after', passes);
  });
  return [...first, ...between, ...last].slice(0, count);
}

function at(point: CrashPoint, pass = 1): Kill {
  return { crash: { point, pass } };
}
