import type { Claim } from '../model/delivery.ts';
import type { Event, JsonObject } from '../model/message.ts';
import type { Limits } from './pace.ts';
import type { Signing } from './signatures.ts';

/** One URL of a destination, with the static headers that go there and nowhere else (HOOK-3). */
export interface Webhook {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** What records, and the webhooks that are closed for a delivery, call it; its URL where absent. */
  readonly name?: string;
}

/** What a destination is at the moment of a round: asked for at each, so a change holds at once (D-13). */
export interface Target extends Signing {
  readonly webhooks: readonly Webhook[];
  /** ISO 8601: by it one is told from another that had its name. */
  readonly createTime?: string;
  /** The same object until they are changed. */
  readonly limits?: Limits;
  /** It gets the events of each user in the order in which they were accepted (HOOK-25). */
  readonly inOrder?: true;
  /** Requests carry the `traceparent` of their attempt, where it is traced. */
  readonly traceContext?: true;
  /** Whether the destination's filters let an event through that was not routed, as audiences make them; all without one. */
  readonly admits?: (event: Event) => Promise<boolean>;
  /** What the destination's filters make of an event; it goes out as it came without one. */
  readonly reshape?: (event: Event) => Promise<Event>;
  /** What the destination's shape makes of a body; it goes out as the contract has it without one. */
  readonly shape?: (body: JsonObject) => Promise<JsonObject>;
}

/** What is about to be sent. */
export type Sending = Pick<Claim, 'message' | 'earlierRounds'>;

/** The target of a destination; undefined when it is disabled or gone (D-30), or is not to get this any more. */
export type Targets = (destination: string, sending?: Sending) => Target | undefined;
