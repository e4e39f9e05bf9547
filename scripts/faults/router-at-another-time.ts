/**
 * The router, with a clock that is ahead: `--ahead-ms 600000`, and all flags of the router. With `--defect hasty`, one that a
 * run must not pass. What it sends says which process sent it. On SIGUSR2 ten minutes have passed for it.
 */
import { sayWhoSends } from './sent-by.ts';

sayWhoSends();
const at = process.argv.indexOf('--ahead-ms');
const [, ahead = '0'] = at < 0 ? [] : process.argv.splice(at, 2);
const now = Date.now.bind(Date);
const { timeOrigin } = performance;
Date.now = () => now() + Number(ahead);
Object.defineProperty(performance, 'timeOrigin', { value: timeOrigin + Number(ahead) });
const steady = performance.now.bind(performance);
let passed = 0;
performance.now = () => steady() + passed;
process.on('SIGUSR2', () => (passed += 10 * 60_000));
await (process.argv.includes('--defect') ? import('../crash/router-under-test.ts') : import('../../server/main.ts'));
