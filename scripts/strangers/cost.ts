import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import type { MeasuredProcess } from '../../server/tests/support/measured-process.ts';
import type { HostileRequest } from './requests.ts';

const ROUNDS = 5;
const REQUESTS = 10;

/**
 * What a request costs the processor of a server, in milliseconds: the least of several rounds, as other work on the
 * machine makes some of them dearer. A round that is within `enough` is the last.
 */
export async function costOf(server: MeasuredProcess, { bytes }: HostileRequest, enough = 0): Promise<number> {
  let least = Infinity;
  for (let round = 0; round < ROUNDS && least > enough; round += 1) {
    const before = await server.measure();
    // The collection of garbage that a measurement ends with is no cost of the requests.
    const between = await server.measure();
    for (let sent = 0; sent < REQUESTS; sent += 1) await send(server.url, bytes);
    const after = await server.measure();
    const [collection, all] = [between.processorMs - before.processorMs, after.processorMs - between.processorMs];
    least = Math.min(least, Math.max(0, all - collection) / REQUESTS);
  }
  return least;
}

/** Sends a request and reads its answer to the end. */
async function send(url: string, bytes: Buffer): Promise<void> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.write(bytes);
  // One that the server ends early is answered too.
  await text(socket).catch(() => '');
}
