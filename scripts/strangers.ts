/**
 * `npx node scripts/strangers.ts [seconds] [--save]`: what requests that anybody can send cost the router, and what 500 stalled
 * senders leave of an honest sender's throughput, each measured for so many seconds.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startMeasured } from '../server/tests/support/measured-process.ts';
import { writePages } from './results/pages.ts';
import { originNow, writeResult } from './results/result.ts';
import type { HonestShare, RequestCost } from './results/strangers-page.ts';
import { costOf } from './strangers/cost.ts';
import { HOSTILE_REQUESTS, MAX_MS } from './strangers/requests.ts';
import { type HonestSender, stallFrom, throughput } from './strangers/throughput.ts';

const LEAST_RATIO = 0.9;
const TOKEN = 'strangers-script-token-0123';
const KEY = 'k'.repeat(32);

const args = process.argv.slice(2);
const seconds = Number(args.find((arg) => arg !== '--save') ?? 10);
const ms = seconds * 1_000;
const folder = mkdtempSync(join(tmpdir(), 'waybill-strangers-'));
const [requests, honest]: [RequestCost[], HonestShare[]] = [[], []];
const faults: string[] = [];
await using router = await startMeasured('./measured-router.ts', [
  '--port=0',
  `--data-dir=${folder}`,
  `--token=${TOKEN}`,
]);

console.log('| request | processor, ms |\n|---|---|');
for (const one of HOSTILE_REQUESTS) {
  const cost = await costOf(router, one);
  const mostMs = one.mostMs ?? MAX_MS;
  requests.push({ what: one.what, ms: Number(cost.toFixed(1)), mostMs });
  console.log(`| ${one.what} | ${cost.toFixed(1)} |`);
  if (cost > mostMs) faults.push(`${one.what} costs ${cost.toFixed(1)} ms`);
}

const made = await fetch(`${router.url}/v1beta/workspaces/main/sources`, {
  method: 'POST',
  headers: { authorization: `Bearer ${TOKEN}` },
  body: JSON.stringify({ source: { name: 'workspaces/main/sources/js', write_keys: [KEY] } }),
});
if (!made.ok) throw new Error(`the source was answered ${made.status}`);
console.log(
  '\n| honest sender | requests a second, alone | with 500 stalled senders | ratio | not accepted |\n|---|---|---|---|---|',
);
for (const [what, sender] of Object.entries(senders())) {
  const alone = await throughput(router.url, sender, ms);
  const stop = stallFrom(router.url, ['127.0.0.2', '127.0.0.3', '127.0.0.4', '127.0.0.5', '127.0.0.6'], 500);
  await sleep(2_000);
  const among = await throughput(router.url, sender, ms);
  stop();
  const ratio = among.ok / alone.ok;
  honest.push({ what, ratio: Number(ratio.toFixed(2)), leastRatio: LEAST_RATIO, notAccepted: among.other });
  const rates = [alone, among].map(({ ok }) => ((1_000 * ok) / ms).toFixed(0));
  console.log(`| ${what} | ${rates.join(' | ')} | ${ratio.toFixed(2)} | ${among.other} |`);
  if (ratio < LEAST_RATIO || among.other > 0)
    faults.push(`${what}: ratio ${ratio.toFixed(2)}, ${among.other} not accepted`);
}
if (args.includes('--save')) {
  const origin = originNow(`npx node scripts/strangers.ts ${seconds}`);
  writeResult('strangers', { ...origin, requests, senders: honest });
  writePages();
}
for (const fault of faults) console.error(`✗ ${fault}`);
rmSync(folder, { recursive: true, force: true });
process.exitCode = faults.length === 0 ? 0 : 1;

function senders(): Record<string, HonestSender> {
  const authorization = `Basic ${Buffer.from(`${KEY}:`).toString('base64')}`;
  return {
    'key in the header': { localAddress: '127.0.0.2', headers: { authorization }, body: batch() },
    'key in the body': { localAddress: '127.0.0.9', headers: {}, body: batch(KEY) },
  };
}

function batch(writeKey?: string): string {
  return JSON.stringify({ batch: [{ type: 'track', event: 'E', userId: 'u' }], writeKey }).padEnd(100_000);
}
