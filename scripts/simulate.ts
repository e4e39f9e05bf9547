/** `npm run simulate -- --seeds 10000`: the delivery engine through as many worlds of mixed faults, in virtual time. */
import { parseArgs } from 'node:util';
import { hunt, tellFinding } from '../testbed/simulation/hunt.ts';

const { values } = parseArgs({
  options: { seeds: { type: 'string', default: '1000' }, from: { type: 'string', default: '1' } },
});
const [seeds, from] = [Number(values.seeds), Number(values.from)];
if (!Number.isInteger(seeds) || seeds < 1 || !Number.isInteger(from)) {
  console.error(`--seeds ${values.seeds} --from ${values.from}: both are whole numbers`);
  process.exit(2);
}

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
process.exitCode = found === 0 ? 0 : 1;
