/**
 * A webhook that does as little as can be: it answers 200 to every POST, and tells its parent how many came. Run as a
 * process of its own, so that a bench measures the sender.
 */
import { createServer } from 'node:net';

const HEAD_END = Buffer.from('\r\n\r\n');
const OK = Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n');

let count = 0;
const server = createServer({ noDelay: true }, (socket) => {
  let rest: Buffer = Buffer.alloc(0);
  socket.on('error', () => socket.destroy());
  socket.on('data', (chunk: Buffer) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    for (let end = endOfRequest(rest); end > 0; end = endOfRequest(rest)) {
      rest = rest.subarray(end);
      count += 1;
      socket.write(OK);
    }
  });
});
server.listen(0, '127.0.0.1', () => process.send?.({ address: server.address() }));
process.on('message', () => process.send?.({ count }));
process.on('disconnect', () => process.exit(0));

/** Where the first request ends; 0 when it is not complete. */
function endOfRequest(bytes: Buffer): number {
  const head = bytes.indexOf(HEAD_END);
  if (head < 0) return 0;
  const length = Number(/content-length: (\d+)/i.exec(bytes.toString('latin1', 0, head))?.[1] ?? 0);
  const end = head + HEAD_END.length + length;
  return end <= bytes.length ? end : 0;
}
