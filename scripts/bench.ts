/** `npm run bench [-- --json] [-- --runs 5]`: each figure beside its physical limit, run in turn; ratios are what counts. */
import { parseArgs } from 'node:util';
import { bareLoop, deliverBacklog } from './bench/delivery.ts';
import { compare, type Comparison } from './bench/figures.ts';
import { bareIngest, routerIngest } from './bench/ingest.ts';
import { startReceiverProcess } from './bench/receiver-process.ts';

const { values } = parseArgs({ options: { json: { type: 'boolean' }, runs: { type: 'string', default: '5' } } });
const runs = Number(values.runs);
if (!Number.isInteger(runs) || runs < 1) {
  console.error(`--runs ${values.runs}: a whole number above 0`);
  process.exit(2);
}

const BACKLOG = 100_000;
const INGEST = [
  { batchSize: 1, events: 5_000, atLeast: 0 },
  { batchSize: 20, events: 40_000, atLeast: 0 },
  { batchSize: 100, events: 100_000, atLeast: 0.7 },
] as const;

const unit = 'events/s';
const rows: Comparison[] = [];
{
  using receiver = await startReceiverProcess();
  const { url } = receiver;
  const title = `delivery of a backlog of ${BACKLOG}, against bare undici POSTs`;
  const options = { runs, unit, atLeast: 0.6 };
  report(
    await compare(
      title,
      options,
      () => deliverBacklog(url, BACKLOG),
      () => bareLoop(url, BACKLOG),
    ),
  );
}
for (const { batchSize, events, atLeast } of INGEST) {
  const title = `ingest in batches of ${batchSize}, against a bare durable server`;
  const options = { runs, unit, atLeast };
  report(
    await compare(
      title,
      options,
      () => routerIngest(batchSize, events),
      () => bareIngest(batchSize, events),
    ),
  );
}
if (values.json === true) console.log(JSON.stringify(rows));

function report(row: Comparison): void {
  rows.push(row);
  if (values.json === true) return;
  const wanted = row.atLeast > 0 ? `, at least ${row.atLeast.toFixed(2)}` : '';
  console.log(row.name);
  console.log(`  ratio ${row.ratio.toFixed(2)}${wanted}   (${figure(row.ours)} of ${figure(row.floor)} ${row.unit})`);
}

function figure(value: number): string {
  return Math.round(value).toLocaleString('en');
}
