import type { Claim } from '../model/delivery.ts';
import type { Event } from '../model/message.ts';
import type { Outcome } from '../model/outcome.ts';

/**
 * Tells a collector what happens to an event, where it is sampled: undefined where it is not. A trace begins with the arrival of
 * its event, and goes on with each attempt, on whatever router and after however many restarts.
 */
export interface Tracing {
  /** An event that is about to be stored; `parent` is the `traceparent` that its request came with. */
  arrival(source: string, event: Event, parent: string | undefined): ArrivalTrace | undefined;
  /** A POST that is about to be made. */
  attempt(claim: Claim, webhook: string): AttemptTrace | undefined;
}

export interface ArrivalTrace {
  /** What is stored with the event, so that its attempts belong to this trace. */
  readonly traceparent: string;
  end(result: 'stored' | 'duplicate' | Error): void;
}

export interface AttemptTrace {
  /** What the receiver is to continue. */
  readonly traceparent: string;
  end(outcome: Outcome, status: number | undefined): void;
}
