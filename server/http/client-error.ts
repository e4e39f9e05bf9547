import type { Socket } from 'node:net';
import { STATUS_CODES } from 'node:http';
import { FAILURES } from './errors.ts';

interface Refusal {
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
  if (!socket.writable) return void socket.destroy();
  socket.end(answer(REFUSALS[error.code ?? ''] ?? NO_HTTP), () => socket.destroy());
}

function answer({ status, message }: Refusal): string {
  const [, code] = FAILURES.InvalidArgument;
  const body = JSON.stringify({ error: message, code, message });
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Connection: close',
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  return `${lines.join('\r\n')}\r\n\r\n${body}`;
}
