import type { ServerResponse } from 'node:http';
import type { Stop } from '../fault-script/behavior.ts';
import type { Ending, Exchange } from './exchange.ts';
import { aborted, flushed } from './exchange.ts';

const BODY = 'This answer has a first half, and it has a second half as well.\n';
const HALF = BODY.length / 2;

/** Goes as far as the stage, then falls silent, resets the connection or closes it. */
export async function stop({ manner, at, status }: Stop, exchange: Exchange): Promise<Ending> {
  const { response, socket, over } = exchange;
  if (response !== undefined) await begin(at, status, response);
  await flushed(socket);
  if (over.aborted) return 'left';
  if (manner === 'silence') return fallSilent(exchange);
  if (manner === 'reset') socket.resetAndDestroy();
  else hangUp(exchange);
  return 'completed';
}

async function begin(at: Stop['at'], status: number, response: ServerResponse): Promise<void> {
  switch (at) {
    case 'connect':
    case 'upload':
    case 'request':
      return;
    case 'headers':
    case 'body':
      response.writeHead(status, { 'Content-Type': 'text/plain', 'Content-Length': BODY.length });
      response.flushHeaders();
      if (at === 'body') response.write(BODY.slice(0, HALF));
      return;
    case 'answer':
      await answerWhole(status, response);
  }
}

async function answerWhole(status: number, response: ServerResponse): Promise<void> {
  response.writeHead(status, { 'Content-Length': 0 });
  await new Promise<void>((resolve) => {
    response.end(resolve);
  });
}

/** An unread connection is drained all the same: only so it shows when the sender hangs up, and frees its socket. */
async function fallSilent({ response, socket, over }: Exchange): Promise<Ending> {
  if (response === undefined) {
    socket.once('end', () => socket.destroy());
    socket.resume();
  }
  await aborted(over);
  return 'left';
}

/** The polite end. Drains first what was not read: closing over unread bytes would make the kernel send a reset. */
function hangUp({ response, socket }: Exchange): void {
  if (response === undefined) socket.resume();
  else response.req.resume();
  socket.end();
}
