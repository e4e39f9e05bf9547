import { connect, type Socket } from 'node:net';
import { Worker } from 'node:worker_threads';

/** Listens, and then never comes back to accept: once its queue is full, the kernel drops whoever knocks. */
const PROGRAM = `
  const { createServer } = require('node:net');
  const { parentPort } = require('node:worker_threads');
  const server = createServer().listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
    parentPort.postMessage(server.address().port);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  });
`;

/** A queue of one holds two: the kernel counts from nought. */
const QUEUE = 2;

export interface BlackHole extends AsyncDisposable {
  readonly url: string;
}

/** An address on this machine that takes no connection and refuses none: SYN packets go in, nothing comes out. */
export async function startBlackHole(): Promise<BlackHole> {
  const worker = new Worker(PROGRAM, { eval: true });
  const port = await new Promise<number>((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
  });
  const fillers = await Promise.all(Array.from({ length: QUEUE }, () => filler(port)));
  return {
    url: `http://127.0.0.1:${port}/hook`,
    [Symbol.asyncDispose]: async () => {
      for (const socket of fillers) socket.destroy();
      await worker.terminate();
    },
  };
}

function filler(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => resolve(socket));
    socket.on('error', reject);
  });
}
