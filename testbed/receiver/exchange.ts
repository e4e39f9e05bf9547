import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { ReceiverClock } from './receiver-clock.ts';

/** One request on its connection, for the code that answers it. */
export interface Exchange {
  readonly socket: Socket;
  /** Undefined before anything of the request was read: then the connection can only be held or ended. */
  readonly response: ServerResponse | undefined;
  readonly clock: ReceiverClock;
  /** Aborts when the connection has ended, whoever ended it. */
  readonly over: AbortSignal;
}

/** How an exchange ended: all was done that the script says, or the sender hung up before. */
export type Ending = 'completed' | 'left';

/** Runs `act` for an exchange, with a signal that lives no longer than it. */
export async function during<T>(socket: Socket, act: (over: AbortSignal) => Promise<T>): Promise<T> {
  const over = new AbortController();
  const abort = () => over.abort();
  socket.once('close', abort);
  if (socket.destroyed) abort();
  try {
    return await act(over.signal);
  } finally {
    socket.off('close', abort);
  }
}

export async function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
}

/** Resolves when everything written so far has left for the network, or can no longer. */
export async function flushed(socket: Socket): Promise<void> {
  await new Promise<void>((resolve) => {
    socket.write('', () => resolve());
  });
}
