import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { answerMeasurements } from './measured-process.ts';

/** A server that makes a large answer for each who asks for `/new`, ends the connection of each who asks for `/end`, reads its file for each request, as many as come, but keeps that of `/kept` until somebody asks for `/none`, waits for its peers without end, and looks for each name of a query. */
const FILE = new URL('../../../generated/docs/redoc.standalone.js', import.meta.url);
let kept: Promise<Buffer> | undefined;
const server = createServer((request, response) => {
  const { searchParams } = new URL(request.url ?? '', 'http://naive');
  for (const name of searchParams.keys()) searchParams.getAll(name);
  if (request.url === '/new') response.end(Buffer.alloc(8 << 20, 'new'));
  else if (request.url === '/end') request.socket.destroy();
  else if (request.url === '/none') response.end((kept = undefined));
  else if (request.url === '/kept') void (kept ??= readFile(FILE)).then((bytes) => response.end(bytes));
  else void readFile(FILE).then((bytes) => response.end(bytes));
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (typeof address === 'object' && address !== null) answerMeasurements(`http://127.0.0.1:${address.port}`);
});
