/**
 * The webhooks of a bench, told apart by their paths: `/ok/…` answers 200; `/hang/…` accepts a request and never answers;
 * `/dead/…` answers 503 until it is told to recover; `/flaky/…` answers 503 once to every fifth event. Keeps when each event was first answered 200. Run as a process of
 * its own: arguments are how many events there can be, and how many milliseconds an answer takes.
 */
import { createServer, type Socket } from 'node:net';
import { readRequests, type RawRequest } from '../http-requests.ts';
import { monotonicMs } from '../monotonic.ts';
import { numberOf } from '../numbered-event.ts';
import type { ReceiverQuestion, Reception } from './receiver-process.ts';

const OK = Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n');
const UNAVAILABLE = Buffer.from('HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n');

const [capacity = 0, answerAfterMs = 0] = process.argv.slice(2).map(Number);
const deliveredAt = new Float64Array(capacity).fill(NaN);
const tally = { delivered: 0, repeated: 0, refused: 0, hanging: 0, open: 0, mostOpen: 0 };
let isDead = true;
/** So many events of a flaky webhook are taken at once for each that is refused the first time. */
const FLAKY = 5;
const wasRefused = new Uint8Array(capacity);
/** Set while somebody waits for so many deliveries. */
let wanted: { readonly delivered: number } | undefined;

const server = createServer({ noDelay: true }, (socket) => {
  socket.on('error', () => socket.destroy());
  socket.on(
    'data',
    readRequests((request) => receive(socket, request)),
  );
});
server.listen(0, '127.0.0.1', 4_096, () => process.send?.({ address: server.address() }));
process.on('disconnect', () => process.exit(0));
process.on('message', (question: ReceiverQuestion) => {
  switch (question.ask) {
    case 'recover':
      isDead = false;
      tally.mostOpen = 0;
      return process.send?.({ at: monotonicMs() });
    case 'wait':
      wanted = question;
      return tellIfComplete();
    case 'report':
      return process.send?.({ ...tally, deliveredAt } satisfies Reception);
  }
});

function receive(socket: Socket, { path, body }: RawRequest): void {
  if (path.startsWith('/hang/')) {
    tally.hanging += 1;
    return;
  }
  tally.open += 1;
  tally.mostOpen = Math.max(tally.mostOpen, tally.open);
  // Before the event is counted: when its delivery is told, the answer is on its way.
  const event = numberOf(body);
  if (answerAfterMs > 0) setTimeout(() => answer(socket, path, event), answerAfterMs);
  else answer(socket, path, event);
}

function answer(socket: Socket, path: string, event: number): void {
  tally.open -= 1;
  const isRefused = (isDead && path.startsWith('/dead/')) || (path.startsWith('/flaky/') && isRefusedOnce(event));
  socket.write(isRefused ? UNAVAILABLE : OK);
  if (isRefused) tally.refused += 1;
  else count(event);
}

function isRefusedOnce(event: number): boolean {
  if (event % FLAKY !== 0 || wasRefused[event] !== 0) return false;
  wasRefused[event] = 1;
  return true;
}

function count(event: number): void {
  if (!Number.isNaN(deliveredAt[event])) {
    tally.repeated += 1;
    return;
  }
  deliveredAt[event] = monotonicMs();
  tally.delivered += 1;
  tellIfComplete();
}

function tellIfComplete(): void {
  if (wanted === undefined || tally.delivered < wanted.delivered) return;
  wanted = undefined;
  process.send?.({ at: monotonicMs() });
}
