import { once } from 'node:events';
import {
  createServer as createHttpServer,
  type IncomingMessage,
  request,
  type Server,
  type ServerResponse,
} from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { createIdentity } from '../../testbed/tls/certificate.ts';

const DAY = 86_400_000;

/** A way to a router for clients that have the host name of another API built in. */
export interface WayIn extends AsyncDisposable {
  /** For `HTTPS_PROXY`. */
  readonly proxy: string;
  /** Of the host, in PEM: whoever comes this way has to trust it. */
  readonly certificate: string;
  /** What was asked and not answered with success. */
  readonly refused: readonly string[];
}

/** A proxy that leads to this host alone, which is the router. */
export async function openWayIn(host: string, router: string): Promise<WayIn> {
  const [validFrom, validTo] = [Date.now() - DAY, Date.now() + DAY];
  const identity = createIdentity({ name: host, hosts: [host], authority: true, validFrom, validTo });
  const refused: string[] = [];
  const front = createHttpsServer({ key: identity.key, cert: identity.certificate }, (asked, answer) => {
    forward(asked, answer, router, (line) => refused.push(line));
  });
  const port = await listening(front);
  const proxy = createHttpServer().on('connect', (asked: IncomingMessage, socket: Socket, head: Buffer) => {
    if (asked.url !== `${host}:443`) return void socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
    const onward = connect(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      onward.write(head);
      onward.pipe(socket).pipe(onward);
    });
    onward.on('error', () => socket.destroy());
    socket.on('error', () => onward.destroy());
  });
  return {
    proxy: `http://127.0.0.1:${await listening(proxy)}`,
    certificate: identity.certificate,
    refused,
    async [Symbol.asyncDispose]() {
      await close(front);
      await close(proxy);
    },
  };
}

function forward(
  asked: IncomingMessage,
  answer: ServerResponse,
  router: string,
  onRefused: (line: string) => void,
): void {
  const { method = 'GET', url = '/', headers } = asked;
  const onward = request(new URL(url, router), { method, headers }, (answered) => {
    const { statusCode = 502 } = answered;
    if (statusCode >= 300) onRefused(`${method} ${url}: ${statusCode}`);
    answer.writeHead(statusCode, answered.headers);
    answered.pipe(answer);
  });
  onward.on('error', () => answer.destroy());
  asked.pipe(onward);
}

async function listening(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a TCP server that listens has such an address
  return (server.address() as AddressInfo).port;
}

async function close(server: Server): Promise<void> {
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
}
