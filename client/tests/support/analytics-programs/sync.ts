/** Tracks in syncMode, and prints how each call ended. Arguments: host, how many, options as JSON. */
import { Analytics, type AnalyticsOptions } from '../../../analytics/index.ts';

const [host = '', count = '1', options = '{}'] = process.argv.slice(2);
const given: Omit<AnalyticsOptions, 'syncMode'> = JSON.parse(options);
const analytics = new Analytics('key', { host, syncMode: true, ...given });
for (let index = 0; index < Number(count); index += 1) {
  const result = await analytics.track('u', `e${index}`);
  console.log(result.ok ? 'delivered' : result.reason);
}
console.log('all settled');
