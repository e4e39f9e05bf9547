import { isObject } from '../model/json-values.ts';
import { cutText } from '../losses/bounded.ts';
import { type Drop, type DropCounts, KEPT_DROPS, type LossReason } from '../losses/dropped-events.ts';

/** The drops of one request while it is looked through. */
export interface Drops {
  readonly counts: DropCounts;
  /** The last ones, no more than can be read later. */
  readonly last: readonly Drop[];
  /** Counts a call, or so many of them without a look at each. */
  add(call: unknown, reason: LossReason): void;
  addMany(reason: LossReason, count: number): void;
}

/** `receivedAt` is the ISO text of the request's arrival. */
export function createDrops(receivedAt: string): Drops {
  const counts = new Map<LossReason, number>();
  const last: Drop[] = [];
  const addMany = (reason: LossReason, count: number): void =>
    void counts.set(reason, (counts.get(reason) ?? 0) + count);
  return {
    counts,
    last,
    add(call, reason) {
      addMany(reason, 1);
      last.push({ reason, receivedAt, ...traceOf(call) });
      if (last.length > KEPT_DROPS) last.shift();
    },
    addMany(reason, count) {
      addMany(reason, count);
      last.push({ reason, receivedAt });
    },
  };
}

/** The longest text of a sender that is kept, in UTF-16 units. */
const TRACE_LENGTH = 100;

function traceOf(call: unknown): Partial<Pick<Drop, 'type' | 'messageId' | 'event'>> {
  if (!isObject(call)) return {};
  const trace: Partial<Record<'type' | 'messageId' | 'event', string>> = {};
  for (const key of ['type', 'messageId', 'event'] as const) {
    const value = call[key];
    if (typeof value === 'string') trace[key] = cutText(value, TRACE_LENGTH);
  }
  return trace;
}
