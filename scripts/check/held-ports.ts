import { once } from 'node:events';
import { createServer, type Server } from 'node:net';

/** Where the router, the receiver and the examples of the docs listen unless they are told otherwise. */
const PORTS = [8080, 9000, 9001, 3000];

/**
 * Holds the default ports for as long as the tests run, as a router of the README's walk or some other program may: no
 * test may need one of them, nor find there what it looks for. Whatever connects fails the run. A port that somebody
 * else has is left to them, which is as good: nobody can listen there then, and nothing of ours answers.
 */
export async function holdPorts(ports: readonly number[] = PORTS): Promise<HeldPorts> {
  const callers: string[] = [];
  const servers: Server[] = [];
  for (const port of ports) {
    const server = createServer((socket) => {
      socket.on('error', () => socket.destroy());
      socket.once('data', (bytes) => {
        callers.push(`${port}: ${bytes.toString('latin1').split('\r\n\r\n', 1)[0]?.replaceAll('\r\n', ' · ')}`);
        socket.resetAndDestroy();
      });
    });
    server.listen(port, '127.0.0.1');
    if (await listens(server)) servers.push(server);
  }
  return {
    held: servers.length,
    release: async () => {
      await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
      if (callers.length === 0) return;
      throw new Error(
        `Something called a default port while the tests ran; give it a free one:\n${callers.join('\n')}`,
      );
    },
  };
}

export interface HeldPorts {
  /** How many of them were free. */
  readonly held: number;
  /** Throws when anybody called. */
  readonly release: () => Promise<void>;
}

/** False when the port is taken. */
async function listens(server: Server): Promise<boolean> {
  try {
    await once(server, 'listening');
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') return false;
    throw error;
  }
}
