import { createServer } from 'node:http';
import Koa, { type Middleware } from 'koa';
import { portOf } from './raw-receiver.ts';

/** One GET over HTTP to an application that is this middleware alone; its answer is JSON. */
export async function requestOf(middleware: Middleware, path: string): Promise<{ status: number; body: unknown }> {
  const handle = new Koa().use(middleware).callback();
  const server = createServer((request, response) => void handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const answer = await fetch(`http://127.0.0.1:${portOf(server)}${path}`);
    return { status: answer.status, body: await answer.json() };
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}
