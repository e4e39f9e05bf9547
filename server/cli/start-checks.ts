import { createServer } from 'node:net';
import { cannotListen } from '../http/listener.ts';
import { readTls, tlsFilesOf } from '../http/tls.ts';
import type { Settings } from '../settings/settings.ts';

/**
 * Throws CannotListen. Looked at before the storage is opened: a start that ended after that would have migrated it, begun
 * to send, and left a first token that nobody was shown.
 */
export async function requireListening(settings: Settings): Promise<void> {
  const { host, port } = settings;
  const files = tlsFilesOf(settings);
  if (files !== undefined) readTls(files);
  const error = await listenOnce(host, port);
  if (error !== undefined) throw cannotListen(error, host, port);
}

/** What stands in the way of it, if anything does. */
export function listenOnce(host: string, port: number): Promise<NodeJS.ErrnoException | undefined> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error));
    server.listen(port, host, () => server.close(() => resolve(undefined)));
  });
}
