import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';

/** Events that came with a write key of no source, by the beginning of the key. */
export interface UnknownKey {
  readonly prefix: string;
  readonly events: number;
  /** In milliseconds since the epoch. */
  readonly firstAt: number;
  readonly lastAt: number;
}

/** Counts what was answered as accepted although its key is unknown (D-41). */
export interface UnknownKeys {
  /** `key` as it was sent: no more than its beginning is kept. */
  add(key: string, events: number): void;
  /** The last seen first; no more than are kept. */
  list(): readonly UnknownKey[];
  /** Events of all unknown keys. */
  total(): number;
}

/** How many beginnings of keys are kept. Strangers choose them, so there has to be a bound. */
export const KEPT_KEYS = 1_000;

const PREFIX_LENGTH = 4;

interface Ports {
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Pick<Log, 'warn'>;
}

/** In memory, as dropped events are: it tells which senders hold a stale key now. */
export function createUnknownKeys({ clock, log }: Ports): UnknownKeys {
  // In the order in which they were last seen.
  const kept = new Map<string, UnknownKey>();
  let total = 0;
  return {
    add(key, events) {
      const [prefix, now] = [prefixOf(key), clock.now()];
      const known = kept.get(prefix);
      if (known === undefined) log.warn({ prefix }, 'events with an unknown write key are answered 200 and not kept');
      kept.delete(prefix);
      kept.set(prefix, {
        prefix,
        events: (known?.events ?? 0) + events,
        firstAt: known?.firstAt ?? now,
        lastAt: now,
      });
      total += events;
      const [oldest] = kept.keys();
      if (kept.size > KEPT_KEYS && oldest !== undefined) kept.delete(oldest);
    },
    list: () => [...kept.values()].toReversed(),
    total: () => total,
  };
}

/** So little that it is worth nothing to who reads it, and enough to find the sender. */
function prefixOf(key: string): string {
  const length = Math.min(PREFIX_LENGTH, Math.floor(key.length / 2));
  return key.slice(0, length).replaceAll(/[^!-~]/g, '?');
}
