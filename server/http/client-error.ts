import type { Socket } from 'node:net';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { FAILURES } from './errors.ts';
import { STATUS_CODES } from '../node-http.ts';

export interface Refusal {
  readonly status: number;
  readonly message: string;
}

/** What Node finds wrong with a request before anybody here sees it. All else is no HTTP. */
const REFUSALS: Readonly<Record<string, Refusal>> = {
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, message: 'the request did not arrive in time' },
  HPE_HEADER_OVERFLOW: { status: 431, message: 'the headers are too large' },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: { status: 413, message: 'the extensions of the chunks are too large' },
};
const NO_HTTP: Refusal = { status: 400, message: 'the request is not valid HTTP' };

/** Says in JSON, as all errors are said (D-40), why a connection is ended, and ends it. */
export function refuseConnection(error: NodeJS.ErrnoException, socket: Socket): void {
  // What is written before a handshake is over waits for it, and so does the end: the peer would keep the connection for ever.
  if (!socket.writable || isInHandshake(socket)) return void socket.destroy();
  socket.end(answer(REFUSALS[error.code ?? ''] ?? NO_HTTP), () => socket.destroy());
}

function isInHandshake(socket: Socket): boolean {
  return 'secureConnecting' in socket && socket.secureConnecting === true;
}

export const TOO_MANY_PIECES: Refusal = {
  status: 400,
  message: 'the body came in too many pieces: send larger chunks',
};

/** Ends a connection in the middle of a request; the answer gets out where the peer can take it at once. */
export function endConnection(request: IncomingMessage, refusal: Refusal): void {
  request.socket.write(answer(refusal));
  request.destroy();
}

/** Answers a request that nobody is to see, and ends its connection. */
export function refuseRequest(response: ServerResponse, refusal: Refusal): void {
  response.writeHead(refusal.status, { ...HEADERS }).end(bodyOf(refusal));
}

export const TWO_HOSTS: Refusal = { status: 400, message: 'the request has more than one Host header' };
export const NO_HOST: Refusal = { status: 400, message: 'the request has no Host header' };
export const UNREADABLE_TARGET: Refusal = { status: 400, message: 'the address of the request cannot be read' };
export const UNKNOWN_EXPECTATION: Refusal = {
  status: 417,
  message: 'the Expect header asks for what is not known: send 100-continue, or leave it out',
};

const HEADERS = { Connection: 'close', 'Content-Type': 'application/json; charset=utf-8' } as const;

function answer(refusal: Refusal): string {
  const body = bodyOf(refusal);
  const headers = { ...HEADERS, 'Content-Length': Buffer.byteLength(body) };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const { status } = refusal;
  return [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, '', body].join('\r\n');
}

function bodyOf({ message }: Refusal): string {
  const [, code] = FAILURES.InvalidArgument;
  return JSON.stringify({ error: message, code, message });
}
