import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { answerMeasurements } from './measured-process.ts';

/** A server that reads its file for each request, as many as come, and waits for its peers without end. */
const FILE = new URL('../../../generated/docs/redoc.standalone.js', import.meta.url);
const server = createServer((_request, response) => void readFile(FILE).then((bytes) => response.end(bytes)));
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (typeof address === 'object' && address !== null) answerMeasurements(`http://127.0.0.1:${address.port}`);
});
