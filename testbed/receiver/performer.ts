import type { BackEnd } from '../fault-script/back-end.ts';
import type { Turn } from '../fault-script/player.ts';
import { sendAnswer } from './answer.ts';
import type { Ending, Exchange } from './exchange.ts';
import { MALFORMED } from './malformed.ts';
import { stop } from './stop.ts';

/** What a listening HTTP server can play, and what it cannot. */
export const SOCKETS: BackEnd = {
  name: 'a receiver on real sockets',
  refuses({ unreachable }) {
    if (unreachable === undefined) return undefined;
    if (unreachable === 'dns_error') return 'names are resolved before the connection; play it in process';
    return 'the kernel accepts connections; play it in process, or close() the receiver';
  },
};

/** Does what a turn says, on the connection. A rejection is a bug. */
export async function perform({ delayMs, behavior }: Turn, exchange: Exchange): Promise<Ending> {
  const { clock, over, response, socket } = exchange;
  if (delayMs > 0) await clock.sleep(delayMs, over);
  if (over.aborted) return 'left';
  switch (behavior.kind) {
    case 'stop':
      return stop(behavior, exchange);
    case 'malformed':
      socket.end(MALFORMED[behavior.how]);
      return 'completed';
    case 'answer':
      if (response === undefined) throw new Error('An answer was to be sent before its request was read');
      return sendAnswer(behavior, response, exchange);
    case 'unreachable':
      throw new Error(`unreachable:${behavior.how} was to be played, though scripts with it are refused`);
  }
}
