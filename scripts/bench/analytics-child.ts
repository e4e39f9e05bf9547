/** One library in a process of its own, for what only shows there. Arguments: library, scenario, host. */
import { memoryUsage } from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { peer, waybill } from './analytics-rivals.ts';

const mb = (bytes: number): number => Math.round(bytes / 1e6);

const [library, scenario = '', host = ''] = process.argv.slice(2);
const make = library === 'peer' ? peer : waybill;

if (scenario === 'memory') await memory();
else {
  make({ host }).track({});
  console.log('tracked');
  if (scenario === 'exit') process.exit(0);
}

/** 100 000 small events while no server answers. */
async function memory(): Promise<void> {
  const rival = make({ host });
  globalThis.gc?.();
  const before = memoryUsage().heapUsed;
  for (let count = 0; count < 100_000; count += 1) {
    rival.track({ count });
    if (count % 1_000 === 0) await sleep(0);
  }
  globalThis.gc?.();
  const { heapUsed, rss } = memoryUsage();
  console.log(`heap +${mb(heapUsed - before)} MB, RSS ${mb(rss)} MB`);
  process.exit(0);
}
