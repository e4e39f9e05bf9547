/**
 * A sender of webhooks in a process of its own: `node tls-sender.ts <file of the authority> <manner>`. It writes its port
 * to stdout; each GET of `/?to=<url>&mark=<text>` makes one event, which it sends with HTTPS and tries again.
 */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { request, type RequestOptions } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';

interface Manner {
  readonly tls: RequestOptions;
  /** Failures after which it gives an event up. */
  readonly final: ReadonlySet<string>;
}

const NONE: ReadonlySet<string> = new Set();
const MANNERS: Readonly<Record<string, Manner>> = {
  careful: { tls: {}, final: NONE },
  'trusts anybody': { tls: { rejectUnauthorized: false }, final: NONE },
  'does not look at the name': { tls: { checkServerIdentity: () => undefined }, final: NONE },
  'takes a reset as final': { tls: {}, final: new Set(['ECONNRESET']) },
};

const [, , authority = '', name = ''] = process.argv;
const { tls, final } = MANNERS[name] ?? { tls: {}, final: NONE };
const sender = createServer((asked, response) => {
  response.end();
  const { searchParams } = new URL(asked.url ?? '', 'http://sender');
  void deliver(searchParams.get('to') ?? '', JSON.stringify({ id: searchParams.get('mark'), type: 'order' }));
});
sender.listen(0, '127.0.0.1', () => {
  const address = sender.address();
  console.log(typeof address === 'object' ? address?.port : address);
});

async function deliver(url: string, body: string): Promise<void> {
  for (let wait = 50; wait < 2_000; wait *= 2) {
    const ended = await post(url, body);
    if (final.has(ended) || /^[23]/.test(ended)) return;
    await sleep(wait);
  }
}

/** The status, or the code of what went wrong. */
async function post(url: string, body: string): Promise<string> {
  const headers = { 'Content-Type': 'application/json', 'User-Agent': 'TlsSender/1' };
  return new Promise((resolve) => {
    const options = { method: 'POST', agent: false, headers, ca: readFileSync(authority), ...tls } as const;
    const outgoing = request(url, options, (answer) => {
      resolve(String(answer.statusCode));
      answer.on('error', () => undefined).destroy();
    });
    // From the end of the handshake on: however long that takes on a busy machine, it is no refusal.
    outgoing.once('socket', (socket) =>
      socket.once('secureConnect', () => outgoing.setTimeout(300, () => outgoing.destroy(new Error('no answer')))),
    );
    outgoing.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.name)).end(body);
  });
}
