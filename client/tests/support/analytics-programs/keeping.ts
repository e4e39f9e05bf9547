/** Tracks with a disk store, prints, and waits to be killed. Arguments: host, folder, first index, count, options. */
import { Analytics, type AnalyticsOptions } from '../../../analytics/index.ts';
import { diskStore } from '../../../analytics/node/index.ts';

const [host = '', folder = '', first = '0', count = '1', options = '{}'] = process.argv.slice(2);
const given: AnalyticsOptions<false> = JSON.parse(options);
const analytics = new Analytics('key', { host, store: diskStore({ folder, segmentBytes: 20_000 }), ...given });
for (let index = Number(first); index < Number(first) + Number(count); index += 1) {
  const result = analytics.track('u', 'e', { index }, { messageId: `m${index}` });
  if (!result.ok) throw new Error(result.message);
}
console.log('tracked');
// Keeps the process alive until it is killed.
setInterval(() => {}, 60_000);
