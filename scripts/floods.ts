/**
 * `npx node scripts/floods.ts [--save]`: what the router makes of thousands of requests that anybody can send in one piece, on
 * each of many connections.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startMeasured } from '../server/tests/support/measured-process.ts';
import { writePages } from './results/pages.ts';
import { originNow, writeResult } from './results/result.ts';
import type { FloodCost } from './results/strangers-page.ts';
import { FLOODS } from './strangers/floods.ts';
import { ended, sendAndNotRead } from './strangers/unreading-peers.ts';

const [CONNECTIONS, REQUESTS] = [300, 3_000];
const [MAX_PROCESSED, MAX_PEAK_MB] = [51, 100];

const folder = mkdtempSync(join(tmpdir(), 'waybill-floods-'));
const flags = ['--port=0', `--data-dir=${folder}`, '--token=floods-script-token-0123'];
const rows: FloodCost[] = [];
{
  await using router = await startMeasured('./measured-router.ts', flags);
  const idle = await router.measure();
  for (const { what, request } of FLOODS) {
    const before = await router.measure();
    await ended(await sendAndNotRead(router.url, request.repeat(REQUESTS), CONNECTIONS));
    const after = await router.measure();
    const processed = Math.ceil((after.requests - before.requests) / CONNECTIONS);
    const peakMb = Math.round((after.peakBytes - idle.peakBytes) / 1_000_000);
    rows.push({ what, processed, mostProcessed: MAX_PROCESSED, peakMb, mostPeakMb: MAX_PEAK_MB });
    console.log(`${what}: ${processed} processed per connection, peak ${peakMb} MB more`);
  }
}
rmSync(folder, { recursive: true, force: true });
if (process.argv.includes('--save')) {
  const origin = originNow('npx node scripts/floods.ts');
  writeResult('floods', { ...origin, connections: CONNECTIONS, requests: REQUESTS, rows });
  writePages();
}
const isOver = rows.some(({ processed, peakMb }) => processed > MAX_PROCESSED || peakMb > MAX_PEAK_MB);
process.exitCode = isOver ? 1 : 0;
