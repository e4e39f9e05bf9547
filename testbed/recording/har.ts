import { STATUS_CODES } from 'node:http';
import { applicationFor } from '../receiver/forwarding.ts';
import { type Forwarded, type Header, headerOf, type Received, utf8In } from '../receiver/received.ts';

/** HAR 1.2; what stands in an entry is the format's to say. */
export interface Har {
  log: { version: '1.2'; creator: { name: string; version: string }; entries: Record<string, unknown>[] };
}

/** Answers what an application made of a request; undefined where the script answered. */
type AnswerTo = (request: Received) => Forwarded | undefined;

/**
 * The requests as an HTTP archive (HAR 1.2), as browsers and proxies read it. Header values are in it. Of the answers it
 * holds what the script said, or what the application behind the receiver gave.
 */
export function harOf(received: readonly Received[], url: string, answerTo: AnswerTo = () => undefined): Har {
  return {
    log: {
      version: '1.2',
      creator: { name: 'Waybill receiver', version: '0.1.0' },
      entries: received.map((request) => entryOf(request, url, answerTo(request))),
    },
  };
}

export function entryOf(request: Received, url: string, forwarded: Forwarded | undefined): Record<string, unknown> {
  const { at, method, path, headers, body, turn, number, attempt, signature } = request;
  const target = new URL(URL.canParse(path, url) ? path : '/', url);
  const wait = turn.delayMs + (forwarded?.afterMs ?? 0);
  return {
    startedDateTime: new Date(at).toISOString(),
    time: wait,
    request: {
      method,
      url: target.href,
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: pairs(headers),
      queryString: [...target.searchParams].map(([name, value]) => ({ name, value })),
      ...(body.length === 0
        ? {}
        : { postData: { mimeType: headerOf(request, 'content-type') ?? '', ...textOf(body) } }),
      headersSize: -1,
      bodySize: body.length,
    },
    response: responseOf(request, forwarded),
    cache: {},
    timings: { send: 0, wait, receive: 0 },
    _waybill: { number, attempt, signature: signature.verdict, endpoint: request.endpoint },
  };
}

function responseOf(request: Received, forwarded: Forwarded | undefined): object {
  if (forwarded !== undefined) return applicationResponse(forwarded);
  const { behavior } = request.turn;
  if (applicationFor(request) !== undefined) return response(0, [], { _error: 'the application has not answered' });
  if (behavior.kind !== 'answer') return response(0, [], { _error: behavior.kind });
  const { status, headers, to, body } = behavior;
  const text = 'text' in body ? Buffer.from(body.text) : new Uint8Array();
  const endless = 'bytes' in body && !Number.isFinite(body.bytes);
  const size = 'bytes' in body && !endless ? body.bytes : text.length;
  return response(status, Object.entries(headers), { redirectURL: to ?? '' }, { size, ...contentOf(text) });
}

function applicationResponse({ status, headers, excerpt, bytes, failure }: Forwarded): object {
  const mimeType = headerOf({ headers }, 'content-type') ?? '';
  const redirectURL = headerOf({ headers }, 'location') ?? '';
  const error = failure === undefined ? {} : { _error: failure };
  return response(
    status,
    headers,
    { redirectURL, bodySize: bytes, ...error },
    { size: bytes, mimeType, ...contentOf(excerpt) },
  );
}

function response(status: number, headers: readonly Header[], fields: object, content: object = {}): object {
  return {
    status,
    statusText: STATUS_CODES[status] ?? '',
    httpVersion: 'HTTP/1.1',
    cookies: [],
    headers: pairs(headers),
    content: { size: 0, mimeType: 'text/plain', ...content },
    redirectURL: '',
    headersSize: -1,
    bodySize: -1,
    ...fields,
  };
}

function pairs(headers: readonly Header[]) {
  return headers.map(([name, value]) => ({ name, value }));
}

/** HAR holds text; bytes of a request that are none go in base64, said in a field of its own. */
function textOf(body: Uint8Array): { readonly text: string; readonly _encoding?: 'base64' } {
  const text = utf8In(body);
  return text === undefined ? { text: base64(body), _encoding: 'base64' } : { text };
}

/** For the content of a response the format has a field for that. */
function contentOf(body: Uint8Array): { readonly text?: string; readonly encoding?: 'base64' } {
  if (body.length === 0) return {};
  const text = utf8In(body);
  return text === undefined ? { text: base64(body), encoding: 'base64' } : { text };
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64');
}
