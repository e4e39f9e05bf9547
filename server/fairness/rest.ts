/** So many times what work took that keeps others waiting is left to them afterwards … */
const TIMES = 4;
/** … but no longer: where the process stood still meanwhile, or storage did not answer, the work only seems to have been long. */
const MOST_MS = 5_000;

/** How long whoever did such work rests before the next. */
export function restAfter(tookMs: number): number {
  return Math.min(TIMES * tookMs, MOST_MS);
}
