import { STATUS_CODES } from 'node:http';
import type { ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import type { Answer } from '../fault-script/behavior.ts';
import { headersOf } from './answer-headers.ts';
import { aborted, type Ending, type Exchange } from './exchange.ts';
import { contentOf, dripped } from './filler.ts';
import type { Content } from './filler.ts';
import { urlOf } from './options.ts';
import type { Header } from './received.ts';

const INTERIM_BATCH = 1000;

/** Sends a well-formed answer, however slow or large. */
export async function sendAnswer(answer: Answer, response: ServerResponse, exchange: Exchange): Promise<Ending> {
  const { over, socket, clock } = exchange;
  const content = bodyOf(answer, response);
  const isEncrypted = 'encrypted' in socket;
  const self = urlOf(socket.localAddress ?? '', socket.localPort ?? 0, isEncrypted) + (response.req.url ?? '');
  const headers = headersOf(answer, content, { now: clock.now(), self });
  const send = async (): Promise<Ending> => {
    if (answer.interim.count > 0) await pipeline(interimAnswers(answer), socket, { signal: over, end: false });
    if (answer.dripHeaders === undefined) await sendFramed(answer, content, headers, response, exchange);
    else await sendBare(answer, content, headers, exchange);
    return 'completed';
  };
  try {
    // A pipeline into a connection that was half closed before may never settle.
    return await Promise.race([send(), aborted(over).then(() => 'left' as const)]);
  } catch (error) {
    if (over.aborted || socket.destroyed) return 'left';
    throw error;
  }
}

async function sendFramed(
  answer: Answer,
  content: Content,
  headers: readonly Header[],
  response: ServerResponse,
  exchange: Exchange,
): Promise<void> {
  response.sendDate = false; // the Date of the receiver's clock is among the headers
  response.writeHead(answer.status, headers.flat());
  await pipeline(paced(answer, content, exchange), response, { signal: exchange.over });
}

/** Node sends a head in one piece, so a dripped one is written past it, on a connection that then has to end. */
async function sendBare(
  answer: Answer,
  content: Content,
  headers: readonly Header[],
  exchange: Exchange,
): Promise<void> {
  const { socket, clock, over } = exchange;
  const head = headText(answer.status, [...headers, ['Connection', 'close']]);
  const trickle = answer.dripHeaders ?? { bytes: head.length, everyMs: 0 };
  await pipeline(
    async function* () {
      yield* dripped([Buffer.from(head, 'latin1')], trickle, clock, over);
      yield* paced(answer, content, exchange);
    },
    socket,
    { signal: over },
  );
}

function paced(answer: Answer, { chunks }: Content, { clock, over }: Exchange): Content['chunks'] {
  return answer.drip === undefined ? chunks : dripped(chunks, answer.drip, clock, over);
}

/** What has no body by rule gets none: Node would swallow it, and never finish an endless one. */
function bodyOf({ status, body, gzip }: Answer, { req }: ServerResponse): Content {
  if (status === 204 || status === 304) return { chunks: [], length: undefined };
  return req.method === 'HEAD' || status === 205 ? contentOf({ bytes: 0 }, false) : contentOf(body, gzip);
}

function* interimAnswers({ interim: { status, count } }: Answer): Generator<Buffer> {
  const one = headText(status, []);
  for (let left = count; left > 0; left -= INTERIM_BATCH) yield Buffer.from(one.repeat(Math.min(left, INTERIM_BATCH)));
}

function headText(status: number, headers: readonly Header[]): string {
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'Unknown'}\r\n${lines.join('')}\r\n`;
}
