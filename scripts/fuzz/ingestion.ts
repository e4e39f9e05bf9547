/**
 * `node scripts/fuzz/ingestion.ts --inputs 200000 --seed 7`: sends ingestion what nobody should send, and exits 1 when it
 * is answered wrongly, dies, or keeps memory. Without a seed it takes a new one, and says which.
 */
import { parseArgs } from 'node:util';
import { fuzz } from './run.ts';
import { startIngestionTarget } from './target.ts';

/** What pools and compiled code may add; a leak of 1 KB for each input would show at the usual number of them. */
const HEAP_LIMIT = 32_000_000;

const { values } = parseArgs({ options: { seed: { type: 'string' }, inputs: { type: 'string', default: '100000' } } });
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 32));
const inputs = Number(values.inputs);

await using target = await startIngestionTarget();
const { statuses, faults, heapGrowth } = await fuzz(target, { seed, inputs });
const counts = [...statuses].toSorted(([a], [b]) => a - b).map(([status, count]) => `${status}: ${count}`);
console.log(`seed ${seed}, ${inputs} inputs · ${counts.join(' · ')} · heap +${(heapGrowth / 1e6).toFixed(1)} MB`);
for (const fault of faults.slice(0, 20)) console.log(`✗ ${fault}`);
console.log(`${faults.length} faults`);
process.exitCode = faults.length === 0 && heapGrowth < HEAP_LIMIT ? 0 : 1;
