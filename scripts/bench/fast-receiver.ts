/**
 * A webhook that does as little as can be: it answers 200 to every POST, and tells its parent how many came. Run as a
 * process of its own, so that a bench measures the sender.
 */
import { createServer } from 'node:net';
import { readRequests } from './http-requests.ts';

const OK = Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n');

let count = 0;
const server = createServer({ noDelay: true }, (socket) => {
  const read = readRequests(() => {
    count += 1;
    socket.write(OK);
  });
  socket.on('error', () => socket.destroy());
  socket.on('data', read);
});
server.listen(0, '127.0.0.1', () => process.send?.({ address: server.address() }));
process.on('message', () => process.send?.({ count }));
process.on('disconnect', () => process.exit(0));
