import { STATUS_CODES } from 'node:http';
import { headerOf, type Received } from '../receiver/received.ts';

/** The requests as an HTTP archive (HAR 1.2), as browsers and proxies read it. Header values are in it. */
export function harOf(received: readonly Received[], url: string): object {
  return {
    log: {
      version: '1.2',
      creator: { name: 'Waybill receiver', version: '0.1.0' },
      entries: received.map((request) => entryOf(request, url)),
    },
  };
}

function entryOf(request: Received, url: string): object {
  const { at, method, path, headers, body, turn, number, attempt, signature } = request;
  const { behaviour, delayMs } = turn;
  const status = behaviour.kind === 'answer' ? behaviour.status : 0;
  const target = new URL(path, url);
  return {
    startedDateTime: new Date(at).toISOString(),
    time: delayMs,
    request: {
      method,
      url: target.href,
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: headers.map(([name, value]) => ({ name, value })),
      queryString: [...target.searchParams].map(([name, value]) => ({ name, value })),
      postData: { mimeType: headerOf(request, 'content-type') ?? '', ...contentOf(body) },
      headersSize: -1,
      bodySize: body.length,
    },
    response: {
      status,
      statusText: STATUS_CODES[status] ?? '',
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: [],
      content: { size: 0, mimeType: 'text/plain' },
      redirectURL: behaviour.kind === 'answer' ? (behaviour.to ?? '') : '',
      headersSize: -1,
      bodySize: -1,
      ...(behaviour.kind === 'answer' ? {} : { _error: behaviour.kind }),
    },
    cache: {},
    timings: { send: 0, wait: delayMs, receive: 0 },
    _waybill: { number, attempt, signature: signature.verdict },
  };
}

/** HAR holds text; bytes that are none go in base64, said in a field of its own. */
function contentOf(body: Uint8Array): { readonly text: string; readonly _encoding?: 'base64' } {
  try {
    return { text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body) };
  } catch {
    return { text: Buffer.from(body).toString('base64'), _encoding: 'base64' };
  }
}
