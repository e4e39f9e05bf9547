/**
 * `node scripts/run.mjs scripts/order-kills.ts [20 [seed]] [--save]`: kills routers that share a PostgreSQL, one after the other, while they keep
 * the order of each user, and says what was lost or came out of order.
 */
import { parseArgs } from 'node:util';
import { seededRandom } from '../testbed/simulation/seeded-random.ts';
import { orderRun } from './faults/order-run.ts';
import { writePages } from './results/pages.ts';
import { originNow, writeResult } from './results/result.ts';

const options = { save: { type: 'boolean', default: false } } as const;
const { values, positionals } = parseArgs({ allowPositionals: true, options });
const [kills = 20, seed = Date.now() % 1_000_000] = positionals.map(Number);
if (!Number.isInteger(kills) || kills < 1 || !Number.isInteger(seed)) {
  console.error(`usage: order-kills.ts [kills [seed]] [--save], both whole numbers; got ${positionals.join(' ')}`);
  process.exit(2);
}
const onKill = (done: number): void => console.log(`${done} kills`);
const { accepted, lost, outOfOrder, repeated, longestMs, logs } = await orderRun({
  kills,
  random: seededRandom(seed),
  onKill,
});
const longestSeconds = Math.round(longestMs / 1_000);
console.log(
  `${kills} kills, seed ${seed}: accepted ${accepted}, lost ${lost.length}, out of order ${outOfOrder.length}, ` +
    `repeated ${repeated}, the longest took ${longestSeconds} s`,
);
if (values.save) {
  const figures = { kills, accepted, lost: lost.length, outOfOrder: outOfOrder.length, repeated, longestSeconds };
  writeResult('order-kills', { ...originNow(`npx node scripts/order-kills.ts ${kills} ${seed}`), ...figures });
  writePages();
}
if (lost.length + outOfOrder.length > 0) {
  console.error(logs);
  for (const words of [...outOfOrder, ...lost].slice(0, 10)) console.error(`✗ ${words}`);
  process.exitCode = 1;
}
