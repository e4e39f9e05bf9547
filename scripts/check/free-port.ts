import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Below those that systems give to connections and to listeners on port 0, of which there are thousands while tests run: one of
 * these would be taken, now and then, between the moment it is found free and the moment its program listens on it.
 */
const [FIRST, COUNT] = [20_000, 12_000];
const HOST = '127.0.0.1';

/** A port of 127.0.0.1 for a program that must be told one before it starts. */
export async function freePort(): Promise<number> {
  const port = FIRST + randomInt(COUNT);
  const server = createServer();
  try {
    await once(server.listen(port, HOST), 'listening');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') return freePort();
    throw error;
  }
  await new Promise((resolve) => server.close(resolve));
  return port;
}
