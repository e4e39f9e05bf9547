import { EventEmitter, once } from 'node:events';
import { MessageChannel } from 'node:worker_threads';
import { expect } from 'vitest';
import { openEngine, portOf, serve, type ToThread } from '../../storage/file/deliveries/serve.ts';
import { type SqliteStorage, sqliteStorage } from '../../storage/file/deliveries/sqlite-storage.ts';
import { SqliteThread } from '../../storage/file/deliveries/sqlite-thread.ts';
import type { VersionOf } from '../../storage/versions.ts';

/**
 * The storage in one file, on the thread of who asks, which it reaches by the same messages: for the many tests of what is
 * answered of it, for each of which a thread of its own would load all of its modules again.
 */
export async function openSqliteHere(path: string, versionOf?: VersionOf): Promise<SqliteStorage> {
  const { port1: port, port2 } = new MessageChannel();
  const line = Object.assign(new EventEmitter(), { postMessage: (message: ToThread) => port.postMessage(message) });
  port.on('message', (message) => line.emit('message', message));
  port.on('close', () => line.emit('exit'));
  const opened = once(line, 'message');
  serve(portOf(port2), () => openEngine(path));
  expect(await opened).toEqual([{ opened: true }]);
  return sqliteStorage(new SqliteThread(line), versionOf);
}
