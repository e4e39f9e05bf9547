import { isUtf8 } from 'node:buffer';
import type { EventEmitter } from 'node:events';

/** What a reply function of nock is called with: the request by nock 15, its path by nock 14. */
export type Given = Request | string;

/** What nock 14 has of a request: Node's own, also where the sender used fetch. */
interface OutgoingRequest {
  getHeaders(): Readonly<Record<string, unknown>>;
}

/**
 * The requests that a scope catches, whichever nock it is of. nock 14 gives a reply function a body that it has parsed,
 * and a signature is over the bytes: they come with the event `request`, which it emits right before.
 */
export function requestsOf(scope: EventEmitter, url: string): (given: Given) => Request {
  let announced: Request | undefined;
  scope.on('request', (request: Request | OutgoingRequest, _interceptor: unknown, text: string) => {
    if (request instanceof Request) return;
    announced = requestFrom(request, text, url);
    // By these nock 14 tells JSON; it would parse the body now, and end the process where that fails.
    Object.assign(request, { headers: {} });
  });
  return (given) => {
    if (typeof given !== 'string') return given;
    if (announced === undefined) throw new Error('nock asked for an answer, and had announced no request');
    return new Request(new URL(given, url), announced);
  };
}

function requestFrom(request: OutgoingRequest, text: string, url: string): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.getHeaders())) {
    for (const each of Array.isArray(value) ? value : [value]) headers.append(name, String(each));
  }
  return new Request(url, { method: 'POST', headers, body: bytesOf(text, headers.get('content-length')) });
}

/** nock 14 writes a body that is not UTF-8 in hex; a body may also be text that looks like that. */
function bytesOf(text: string, length: string | null): Uint8Array<ArrayBuffer> {
  const bytes = new TextEncoder().encode(text);
  const decoded = new Uint8Array(Buffer.from(text, 'hex'));
  const isHex = decoded.length * 2 === bytes.length && !isUtf8(decoded);
  return isHex && length !== String(bytes.length) ? decoded : bytes;
}
