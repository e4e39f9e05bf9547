import type { DropReason } from '../losses/dropped-events.ts';
import type { Event } from '../model/message.ts';
import type { Envelope } from './envelope.ts';
import { BATCH_EVENTS, createDepthCheck, createSizeCheck } from './event-limits.ts';
import { normalize } from './normalize.ts';
import type { Loss, Outcome } from './stage.ts';
import { lettersAndDigits } from '../random-token.ts';

/** The calls of one request, as they were sent. */
export interface Received {
  /** Full resource name of the source. */
  readonly source: string;
  readonly envelope: Envelope;
  readonly calls: readonly unknown[];
  readonly bodyBytes: number;
}

/** Makes events of calls. Each call that cannot be one is dropped alone, and what was adjusted in the others is told (D-42). */
export function normalizeCalls({ calls, envelope, bodyBytes }: Received, newId: () => string): Outcome {
  if (calls.length === 0) return { kept: [], losses: [{ reason: 'empty_batch', count: 1 }] };
  if (calls.length > BATCH_EVENTS) return { kept: [], losses: [{ reason: 'too_many_events', count: calls.length }] };
  const kept: Event[] = [];
  const losses: Loss[] = [];
  const [isTooLarge, isDeep] = [createSizeCheck(bodyBytes), createDepthCheck(bodyBytes)];
  const eventOf = (event: unknown): Event | DropReason => {
    if (isDeep(event)) return 'bad_request';
    if (isTooLarge(event)) return 'event_too_large';
    return normalize(event, envelope, newId, (reason) => losses.push({ event, reason }));
  };
  for (const call of calls) {
    const made = eventOf(call);
    if (typeof made === 'string') losses.push({ event: call, reason: made });
    else kept.push(made);
  }
  return { kept, losses };
}

/** The id of an event that came without one: `api-` and 27 letters and digits, as those of the field look. */
export function newMessageId(): string {
  // Joined, as in iso-text.ts: a text in pieces makes the JSON of its event twice as dear.
  return ['api-', lettersAndDigits(27)].join('');
}
