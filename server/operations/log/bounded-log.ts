import type { Clock } from '../../ports/clock.ts';
import type { Log } from '../../ports/log.ts';

const EVERY_MS = 1_000;
/** So many kinds of lines are told apart; some more come of bugs, and of clients that find them. */
const KEPT_KINDS = 100;

interface Told {
  readonly at: number;
  /** Lines that were left out since. */
  readonly alike: number;
}

/**
 * For what each request or each queue may write: warnings and errors with one message and one `reason` are a line a second, with
 * `alike` for those left out before it. A full disk must not fill the next one with its log.
 */
export function boundedLog(log: Log, clock: Pick<Clock, 'steady'>): Log {
  // In the order in which they were last told.
  const kinds = new Map<string, Told>();
  const bounded =
    (write: Log['error']): Log['error'] =>
    (fields, message) => {
      const [kind, now] = [`${message} ${String(fields['reason'])}`, clock.steady()];
      const told = kinds.get(kind);
      if (told !== undefined && now - told.at < EVERY_MS) {
        kinds.set(kind, { ...told, alike: told.alike + 1 });
        return;
      }
      kinds.delete(kind);
      kinds.set(kind, { at: now, alike: 0 });
      const [oldest] = kinds.keys();
      if (kinds.size > KEPT_KINDS && oldest !== undefined) kinds.delete(oldest);
      write(told === undefined || told.alike === 0 ? fields : { ...fields, alike: told.alike }, message);
    };
  const { debug, info } = log;
  return { debug, info, warn: bounded(log.warn), error: bounded(log.error) };
}
