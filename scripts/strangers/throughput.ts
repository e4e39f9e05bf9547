import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { connect, type Socket } from 'node:net';

/** An honest sender, with its key in the header or in the body. */
export interface HonestSender {
  readonly localAddress: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** How many of its requests are answered 200 in so much time, and how many are not. */
export async function throughput(
  url: string,
  sender: HonestSender,
  ms: number,
): Promise<{ ok: number; other: number }> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1, localAddress: sender.localAddress });
  const counts = { ok: 0, other: 0 };
  const end = performance.now() + ms;
  while (performance.now() < end) {
    const sent = request(`${url}/v1/batch`, { method: 'POST', agent, headers: { ...sender.headers } }).end(sender.body);
    const [answer] = await once(sent, 'response');
    answer.resume();
    await once(answer, 'end');
    counts[answer.statusCode === 200 ? 'ok' : 'other'] += 1;
  }
  agent.destroy();
  return counts;
}

/** Senders without a key that announce a large body, send most of it, and stop, until the answer is called. */
export function stallFrom(url: string, addresses: readonly string[], count: number): () => void {
  const sockets = Array.from({ length: count }, (_, at): Socket => {
    const localAddress = addresses[at % addresses.length] ?? '127.0.0.1';
    const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1', localAddress }).on('error', () => {});
    socket.write('POST /v1/batch HTTP/1.1\r\nHost: waybill\r\nContent-Length: 500000\r\n\r\n');
    socket.write(' '.repeat(450_000));
    return socket.resume();
  });
  return () => sockets.forEach((socket) => void socket.destroy());
}
