/** Requests that anybody can send, to be sent thousands of times in one piece. */
export interface Flood {
  readonly what: string;
  readonly request: string;
}

const HOST = 'Host: waybill\r\n';

/** Some are answered at once, some wait for a disk, and some Node would answer by itself. */
export const FLOODS: readonly Flood[] = [
  { what: 'GETs', request: `GET / HTTP/1.1\r\n${HOST}\r\n` },
  { what: 'GETs of the health', request: `GET /healthz HTTP/1.1\r\n${HOST}\r\n` },
  { what: 'GETs of HTTP/1.0', request: 'GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n' },
  { what: 'POSTs with a body', request: `POST /v1/track HTTP/1.1\r\n${HOST}Content-Length: 2\r\n\r\n{}` },
  {
    what: 'POSTs with chunks',
    request: `POST /v1/track HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`,
  },
  { what: 'requests that ask to continue', request: `GET / HTTP/1.1\r\n${HOST}Expect: 100-continue\r\n\r\n` },
  { what: 'requests with an unknown expectation', request: `GET / HTTP/1.1\r\n${HOST}Expect: nope\r\n\r\n` },
  { what: 'requests without a host', request: 'GET / HTTP/1.1\r\n\r\n' },
  { what: 'requests with two hosts', request: `GET / HTTP/1.1\r\n${HOST}${HOST}\r\n` },
];
