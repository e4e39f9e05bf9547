import { createServer } from 'node:http';
import type Koa from 'koa';
import { onTestFinished } from 'vitest';
import { behind, type Front } from '../../http/application.ts';

/** The application, behind a front where one is given, on a port of its own until the test is over; answers its URL. */
export async function serve(app: Koa, front: Front = () => false): Promise<string> {
  const server = createServer(behind(front, app));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the test server has no port');
  return `http://127.0.0.1:${address.port}`;
}
