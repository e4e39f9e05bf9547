const FIRST_WAIT_MS = 500;
const MAX_WAIT_MS = 60_000;

/**
 * The wait before retry number `retry` (1 is the first): half a second that doubles up to a minute, with jitter over
 * its upper half, so that clients which failed together do not come back together.
 */
export function backoffMs(retry: number, random: () => number): number {
  const full = Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * 2 ** (retry - 1));
  return Math.round(full * (0.5 + random() / 2));
}
