import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { StoreUnavailable } from '../../storage/config-store.ts';
import { readAddress } from '../../storage/postgres/connection/address.ts';
import { openDatabase } from '../../storage/postgres/connection/database.ts';
import { reads } from '../../storage/postgres/connection/statement.ts';

const AUTHENTICATED = message('R', Buffer.from([0, 0, 0, 0]));
const READY = message('Z', Buffer.from('I'));
const DYING = message(
  'E',
  Buffer.from('SFATAL\0C57P01\0Mterminating connection due to unexpected postmaster exit\0\0'),
);

function message(type: string, body: Buffer): Buffer {
  const head = Buffer.alloc(5);
  head.write(type);
  head.writeUInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

let server: Server | undefined;

afterEach(async () => {
  const closed = server?.close();
  if (closed !== undefined) await once(closed, 'close');
});

/** A PostgreSQL server that accepts connections, and dies before anybody asks it something. */
async function dyingServer(): Promise<string> {
  server = createServer((socket) => {
    socket.on('error', () => socket.destroy());
    // In one piece, as the kernel gives it to a process that was busy meanwhile.
    socket.once('data', () => socket.end(Buffer.concat([AUTHENTICATED, READY, DYING])));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on a port
  return `postgres://waybill@127.0.0.1:${(server.address() as AddressInfo).port}/waybill?sslmode=disable`;
}

test('NODE-1: a server that ends a connection in the moment in which it is there ends no router', async () => {
  const database = openDatabase(readAddress(await dyingServer()));
  await expect(database.run(reads('probe', 'SELECT 1'))).rejects.toThrow(StoreUnavailable);
  await database.close();
});
