import type { Event } from '../ports/message.ts';
import type { Log } from '../ports/log.ts';
import type { Intake } from '../routing/intake.ts';
import type { DropReason } from './drop-reason.ts';
import type { DropCounts, DroppedEvents } from './dropped-events.ts';
import type { Envelope } from './envelope.ts';
import { createSizeCheck } from './event-size.ts';
import { BATCH_EVENTS } from './limits.ts';
import { normalise } from './normalise.ts';

export interface ReceivePorts {
  readonly intake: Intake;
  readonly dropped: DroppedEvents;
  readonly log: Log;
  /** The messageId of an event that came without one, whole: `api-…`. */
  readonly newId: () => string;
}

/** The calls of one request, as they were sent. */
export interface Received {
  /** Full resource name of the source. */
  readonly source: string;
  readonly envelope: Envelope;
  readonly calls: readonly unknown[];
  readonly bodyBytes: number;
}

/** Resolves once every event that passed its checks is on disk (ING-10); each of the others was dropped alone (D-42). */
export async function receive(ports: ReceivePorts, received: Received): Promise<void> {
  const { source, envelope } = received;
  const { events, drops } = sort(received, ports.newId);
  if (events.length > 0) await ports.intake.accept({ source, receivedAt: envelope.receivedAt, events });
  // Counted last: a request that could not be stored is sent again, and would count twice.
  noteDrops(ports, source, drops);
}

/** Counts the drops of a request of this source, and logs them in one line. */
export function noteDrops({ dropped, log }: ReceivePorts, source: string, drops: DropCounts): void {
  if (drops.size === 0) return;
  dropped.add(source, drops);
  log.warn({ source, drops: Object.fromEntries(drops) }, 'events dropped');
}

function sort(received: Received, newId: () => string): { events: Event[]; drops: DropCounts } {
  const { calls, envelope } = received;
  if (calls.length === 0) return { events: [], drops: new Map([['empty_batch', 1]]) };
  if (calls.length > BATCH_EVENTS) return { events: [], drops: new Map([['too_many_events', calls.length]]) };
  const events: Event[] = [];
  const drops = new Map<DropReason, number>();
  const isTooLarge = createSizeCheck(received.bodyBytes);
  for (const call of calls) {
    const result = isTooLarge(call) ? 'event_too_large' : normalise(call, envelope, newId);
    if (typeof result === 'string') drops.set(result, (drops.get(result) ?? 0) + 1);
    else events.push(result);
  }
  return { events, drops };
}
