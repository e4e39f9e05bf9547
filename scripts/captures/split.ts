/** The requests that went over one connection, each with all of its bytes. Clients end what they send with a whole one. */
export function splitRequests(bytes: Buffer): Buffer[] {
  const requests: Buffer[] = [];
  for (let rest = bytes; rest.length > 0;) {
    const end = endOfRequest(rest);
    requests.push(rest.subarray(0, end));
    rest = rest.subarray(end);
  }
  return requests;
}

function endOfRequest(bytes: Buffer): number {
  const headersEnd = bytes.indexOf('\r\n\r\n') + 4;
  if (headersEnd < 4) throw new Error('a connection ended within the headers of a request');
  const headers = bytes.toString('latin1', 0, headersEnd).toLowerCase();
  if (headers.includes('\r\ntransfer-encoding: chunked\r\n')) return bytes.indexOf('0\r\n\r\n', headersEnd) + 5;
  const [, length = '0'] = /\r\ncontent-length: (\d+)\r\n/.exec(headers) ?? [];
  const end = headersEnd + Number(length);
  if (end > bytes.length) throw new Error('a connection ended within the body of a request');
  return end;
}
