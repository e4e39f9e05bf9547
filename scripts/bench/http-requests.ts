const HEAD_END = Buffer.from('\r\n\r\n');

export interface RawRequest {
  readonly path: string;
  readonly body: Buffer;
}

/** Finds the requests in what a connection brings, with as little work as can be: bodies have a length. */
export function readRequests(onRequest: (request: RawRequest) => void): (chunk: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0);
  return (chunk) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    for (let found = first(rest); found !== undefined; found = first(rest)) {
      rest = rest.subarray(found.end);
      onRequest(found.request);
    }
  };
}

/** The first request, and where it ends; undefined while it is not complete. */
function first(bytes: Buffer): { request: RawRequest; end: number } | undefined {
  const head = bytes.indexOf(HEAD_END);
  if (head < 0) return undefined;
  const text = bytes.toString('latin1', 0, head);
  const start = head + HEAD_END.length;
  const end = start + Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0);
  if (end > bytes.length) return undefined;
  return { request: { path: text.split(' ', 2)[1] ?? '/', body: bytes.subarray(start, end) }, end };
}
