/**
 * `node scripts/run.mjs scripts/soak.ts [60] [--held 10] [--note <words>] [--save]`: two routers on PostgreSQL at half of what they
 * can do, for so many minutes, with autovacuum at work and a transaction held open for some in the middle. `--note` says what
 * else the machine did.
 */
import { parseArgs } from 'node:util';
import { numberWords } from './bench/printout.ts';
import { writePages } from './results/pages.ts';
import { originNow, writeResult } from './results/result.ts';
import { leastShare } from './results/soak-page.ts';
import { soakRun } from './soak/soak-run.ts';

const options = {
  held: { type: 'string', default: '10' },
  note: { type: 'string', default: '' },
  save: { type: 'boolean', default: false },
} as const;
const { values, positionals } = parseArgs({ allowPositionals: true, options });
const [minutes = 60] = positionals.map(Number);
const held = Number(values.held);
if (!Number.isInteger(minutes) || minutes < 2 || !Number.isInteger(held) || held < 0 || held > minutes - 2) {
  const usage = 'soak.ts [minutes] [--held <minutes>] [--note <words>] [--save], at least 2 more than are held';
  console.error(`usage: ${usage}; got ${process.argv.slice(2).join(' ')}`);
  process.exit(2);
}
let done = 0;
const report = await soakRun({
  minutes,
  held,
  onMinute: ({ databaseUs, routerUs, dead, hotMb, headPages, ...minute }) => {
    done += 1;
    const figures = { databaseUs, routerUs, dead, hotMb, headPages };
    const words = Object.entries(figures).map(([name, value]) => `${name} ${numberWords(value)}`);
    console.log(`minute ${done}${minute.held ? ', held' : ''}: ${words.join(', ')}`);
  },
});
const share = leastShare(report.minutes);
console.log(`capacity ${numberWords(report.capacity)}/s, sent ${report.perSecond}/s, least share ${share.toFixed(2)}`);
for (const { perSecond, p50Ms, p99Ms } of report.minutes)
  console.log([perSecond, p50Ms, p99Ms].map(numberWords).join('  '));
if (values.save) {
  const command = `npx node scripts/soak.ts ${minutes} --held ${held}`;
  writeResult('soak', { ...originNow(command), note: values.note, held, ...report });
  writePages();
}
const { lost, repeated } = report;
console.log(`${report.sent} events, ${lost} lost, ${repeated} repeated`);
process.exitCode = lost + repeated === 0 && share >= 0.9 ? 0 : 1;
