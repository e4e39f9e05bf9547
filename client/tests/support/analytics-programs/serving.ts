/**
 * A server that at SIGTERM takes no connections any more, and answers the requests that it has, each of which tracks at
 * its end. Arguments: host, how it listens to the signal (`on` or `once`), requests.
 */
import { createServer, get } from 'node:http';
import { Analytics } from '../../../analytics/index.ts';
import { closeOnSignal } from '../../../analytics/node/index.ts';

const [host = '', how = 'on', requests = '1'] = process.argv.slice(2);
const analytics = new Analytics('key', { host });
const stopping = Promise.withResolvers<void>();
const counts = { begun: 0, taken: 0 };

const server = createServer((_request, response) => {
  counts.begun += 1;
  if (counts.begun === Number(requests)) console.log('serving');
  const finish = (): void => {
    if (analytics.track('u', 'Order Completed').ok) counts.taken += 1;
    response.end('paid');
  };
  void stopping.promise.then(() => setTimeout(finish, 100));
});
process[how === 'once' ? 'once' : 'on']('SIGTERM', () => {
  server.close();
  stopping.resolve();
});
closeOnSignal(analytics);
process.on('exit', () => console.log(`${counts.taken} taken`));

server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  for (let request = 0; request < Number(requests); request += 1) {
    get({ port, host: '127.0.0.1', agent: false }, (answer) => answer.resume());
  }
});
