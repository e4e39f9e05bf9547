import type { Event } from '../model/message.ts';
import type { Log } from '../ports/log.ts';
import type { Intake } from './intake.ts';
import type { DroppedEvents, DropReason } from '../losses/dropped-events-port.ts';
import { createDrops, type Drops } from './drops.ts';
import type { Envelope } from './envelope.ts';
import { createSizeCheck } from './event-size.ts';
import { BATCH_EVENTS } from './limits.ts';
import { createDepthCheck } from './nesting.ts';
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
  const { source } = received;
  const { events, drops, adjustments } = sort(received, ports.newId);
  if (events.length > 0) await ports.intake.accept({ source, events });
  // Counted last: a request that could not be stored is sent again, and would count twice.
  note(ports, source, drops);
  if (adjustments.counts.size > 0) ports.dropped.add(source, adjustments.counts, adjustments.last);
}

/** Counts and logs a call that was refused whole. */
export function noteDrop(
  ports: ReceivePorts,
  { source, envelope }: Pick<Received, 'source' | 'envelope'>,
  call: unknown,
  reason: DropReason,
): void {
  const drops = createDrops(envelope.receivedText);
  drops.add(call, reason);
  note(ports, source, drops);
}

/** One line for the drops of a request. */
function note({ dropped, log }: ReceivePorts, source: string, { counts, last }: Drops): void {
  if (counts.size === 0) return;
  dropped.add(source, counts, last);
  log.warn({ source, drops: Object.fromEntries(counts) }, 'events dropped');
}

interface Sorted {
  readonly events: Event[];
  readonly drops: Drops;
  /** Of the events. */
  readonly adjustments: Drops;
}

function sort(received: Received, newId: () => string): Sorted {
  const { calls, envelope } = received;
  const events: Event[] = [];
  const [drops, adjustments] = [createDrops(envelope.receivedText), createDrops(envelope.receivedText)];
  if (calls.length === 0) drops.addMany('empty_batch', 1);
  else if (calls.length > BATCH_EVENTS) drops.addMany('too_many_events', calls.length);
  else {
    const [isTooLarge, isDeep] = [createSizeCheck(received.bodyBytes), createDepthCheck(received.bodyBytes)];
    const resultOf = (call: unknown): Event | DropReason => {
      if (isDeep(call)) return 'bad_request';
      return isTooLarge(call)
        ? 'event_too_large'
        : normalise(call, envelope, newId, (reason) => adjustments.add(call, reason));
    };
    for (const call of calls) {
      const result = resultOf(call);
      if (typeof result === 'string') drops.add(call, result);
      else events.push(result);
    }
  }
  return { events, drops, adjustments };
}
