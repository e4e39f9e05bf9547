import { setTimeout as wait } from 'node:timers/promises';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** What was sent is delivered meanwhile. */
const STEP_MS = 120;

/** How much there is to do at each hour of a day, and then at every other minute of the last one. */
const MOMENTS = [
  ...Array.from({ length: 23 }, (_, hour) => ({ agoMs: (24 - hour) * HOUR_MS - MINUTE_MS, share: dayAt(hour) })),
  ...Array.from({ length: 29 }, (_, turn) => ({ agoMs: (58 - 2 * turn) * MINUTE_MS, share: dayAt(turn / 3) / 10 })),
];

/** Little at night, most in the evening. */
function dayAt(hour: number): number {
  return 1 + Math.sin((hour / 24) * 2 * Math.PI - 2) + 0.3 * Math.sin(hour * 2.1);
}

/**
 * Does something through the last day, in a few seconds: the wall of this process, and so that of the router in it, goes through it
 * in steps. It is right again afterwards.
 */
export async function throughADay(act: (share: number) => Promise<void>): Promise<void> {
  const now = Date.now;
  try {
    for (const { agoMs, share } of MOMENTS) {
      Date.now = () => now() - agoMs;
      await act(Math.max(share, 0.1));
      await wait(STEP_MS);
    }
  } finally {
    Date.now = now;
  }
}
