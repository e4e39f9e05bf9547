/** Opens a disk store, sends what is in it, and closes. Arguments: host, folder. */
import { Analytics } from '../../../analytics/index.ts';
import { diskStore } from '../../../analytics/node/index.ts';

const [host = '', folder = ''] = process.argv.slice(2);
const analytics = new Analytics('key', { host, store: diskStore({ folder }) });
const { delivered } = await analytics.close();
console.log(`delivered ${delivered}`);
