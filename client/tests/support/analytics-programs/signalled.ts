/** Tracks, closes at SIGTERM when asked to, and waits. Arguments: host, `close` or `plain`. */
import { Analytics } from '../../../analytics/index.ts';
import { closeOnSignal } from '../../../analytics/node/index.ts';

const [host = '', how = ''] = process.argv.slice(2);
const analytics = new Analytics('key', { host, uploadInterval: 3600 });
if (how === 'close') closeOnSignal(analytics);
analytics.track('u', 'e');
console.log('tracked');
setInterval(() => {}, 60_000);
