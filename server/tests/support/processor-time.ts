/** No turn of the event loop takes longer (SAFE-2); of the processor, so that a busy machine does not matter. In milliseconds. */
export const MAX_MS = 50;

/** What this thread took of the processor since then, in milliseconds. */
export function processorMsSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}

/** The best of a few: what the process does beside it counts too. */
export function processorMs(work: () => unknown): number {
  let best = Infinity;
  for (let run = 0; run < 4 && best > MAX_MS / 2; run += 1) {
    const before = process.threadCpuUsage();
    work();
    best = Math.min(best, processorMsSince(before));
  }
  return best;
}
