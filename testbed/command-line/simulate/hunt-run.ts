import { hunt, tellFinding } from '../../simulation/hunt.ts';
import type { HuntOptions } from './options.ts';

/** Runs the engine through as many worlds of mixed faults, and answers the exit code. */
export async function runHunt({ seeds, from }: HuntOptions): Promise<number> {
  const startedAt = performance.now();
  let found = 0;
  for (let seed = from; seed < from + seeds; seed += 1) {
    const finding = await hunt(seed);
    if (finding !== undefined) {
      found += 1;
      console.log(tellFinding(finding));
    }
    if (process.stdout.isTTY && seed % 100 === 0) process.stdout.write(`\r${seed - from + 1}/${seeds} seeds`);
  }
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  console.log(`\n${seeds} seeds (${from} to ${from + seeds - 1}) in ${seconds} s: ${found} broke an invariant`);
  return found === 0 ? 0 : 1;
}
