import type { Clock } from '../ports/clock.ts';

/** How often it is looked at what peers have read; the longest that one is ended later than it may. */
const CHECK_MS = 1_000;

/** A large answer may take longer: so much of it is given the time of a small one. */
const PART_BYTES = 2 << 20;

/** What is looked at of a socket. */
interface Connection {
  readonly writableLength: number;
  destroy(): unknown;
}

interface Parts {
  /** The connections with an answer on its way. */
  readonly busy: () => Iterable<Connection>;
  readonly clock: Clock;
  /** So long a peer may leave an answer unread, for each part of it. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** What a peer had not read when it was looked at last, and for how long that has been so. */
interface Unread {
  readonly bytes: number;
  readonly forMs: number;
}

/** Ends connections whose peer does not read, until the signal aborts. Passing time is counted, so no clock can be wrong. */
export async function endUnread({ busy, clock, timeoutMs, signal }: Parts): Promise<void> {
  const everyMs = Math.min(CHECK_MS, timeoutMs);
  let before = new Map<Connection, Unread>();
  while (!signal.aborted) {
    await clock.sleep(everyMs, signal);
    const now = new Map<Connection, Unread>();
    for (const socket of busy()) {
      const bytes = socket.writableLength;
      if (bytes === 0) continue;
      const known = before.get(socket);
      const forMs = known?.bytes === bytes ? known.forMs + everyMs : 0;
      if (forMs > timeoutMs * Math.ceil(bytes / PART_BYTES)) socket.destroy();
      else now.set(socket, { bytes, forMs });
    }
    before = now;
  }
}
