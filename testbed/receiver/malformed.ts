import type { Malformation } from '../fault-script/step.ts';
import { drawAt } from '../fault-script/random.ts';

/** What goes over the wire for each malformed answer, before the connection ends. */
export const MALFORMED: { readonly [M in Malformation]: Uint8Array } = {
  'status-line': ascii('HTTP/1.1 two-hundred OK\r\n\r\n'),
  'http-0.9': ascii('ok\r\n'),
  header: ascii('HTTP/1.1 200 OK\r\nthis line has no colon\r\n\r\n'),
  'length-over': ascii('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nten bytes.'),
  'length-under': ascii('HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nten bytes.'),
  'length-twice': ascii('HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 10\r\n\r\nten bytes.'),
  chunk: ascii('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nno hex\r\nten bytes.\r\n0\r\n\r\n'),
  garbage: noise(512),
};

function ascii(text: string): Uint8Array {
  return Buffer.from(text, 'latin1');
}

/** The same noise in every run. */
function noise(length: number): Uint8Array {
  const draw = drawAt(length);
  return Uint8Array.from({ length }, (_, index) => Math.floor(draw(index) * 256));
}
