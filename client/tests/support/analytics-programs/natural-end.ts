/** Tracks, and ends. Arguments: host, how many, clients, and options as JSON. */
import { Analytics, type AnalyticsOptions } from '../../../analytics/index.ts';

const [host = '', count = '1', clients = '1', options = '{}'] = process.argv.slice(2);
const given: AnalyticsOptions<false> = JSON.parse(options);
for (let client = 0; client < Number(clients); client += 1) {
  const analytics = new Analytics('key', { host, ...given });
  for (let index = 0; index < Number(count); index += 1) analytics.track('u', `e${client}-${index}`);
}
console.log(`tracked after ${Math.round(process.uptime() * 1000)} ms`);
process.on('exit', () => console.log('ended'));
