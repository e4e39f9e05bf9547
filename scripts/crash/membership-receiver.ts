import { once } from 'node:events';
import { createServer } from 'node:http';

/** Takes everything, and remembers what it was told of an audience. */
export interface MembershipReceiver extends AsyncDisposable {
  readonly url: string;
  /** Message ids of the calls about each user. */
  readonly ids: ReadonlyMap<string, ReadonlySet<string>>;
  /** Requests about memberships, repetitions included. */
  readonly requests: number;
  /** Users who were told something else than that they are members. */
  readonly others: readonly string[];
}

export async function startMembershipReceiver(key: string): Promise<MembershipReceiver> {
  const [ids, others] = [new Map<string, Set<string>>(), [] as string[]];
  let requests = 0;
  const take = ({ messageId, userId, traits }: Call): void => {
    const value = traits?.[key];
    if (value === undefined) return;
    requests += 1;
    if (value !== true) others.push(userId);
    ids.set(userId, (ids.get(userId) ?? new Set()).add(messageId));
  };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      take(JSON.parse(Buffer.concat(chunks).toString('utf8')));
      response.writeHead(200).end();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the receiver has no port');
  return {
    url: `http://127.0.0.1:${address.port}/`,
    ids,
    others,
    get requests() {
      return requests;
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

interface Call {
  readonly messageId: string;
  readonly userId: string;
  readonly traits?: Readonly<Record<string, unknown>>;
}
