export const CALL_TYPES = ['identify', 'track', 'page', 'screen', 'group', 'alias'] as const;

/** The six calls that SDKs make (S 1). */
export type CallType = (typeof CALL_TYPES)[number];

export type JsonObject = { [key: string]: unknown };

/**
 * One normalized call, JSON all through. Times are ISO 8601 in UTC with milliseconds, except `originalTimestamp` and
 * `sentAt`, which stay as the sender wrote them. Ids are text. Absent and null are the same, and so left out.
 */
export interface Event {
  readonly type: CallType | 'delete';
  readonly messageId: string;
  readonly userId?: string;
  readonly anonymousId?: string;
  readonly groupId?: string;
  readonly previousId?: string;
  readonly event?: string;
  readonly name?: string;
  readonly category?: string;
  readonly properties?: JsonObject;
  readonly traits?: JsonObject;
  readonly context: JsonObject;
  readonly integrations?: JsonObject;
  readonly timestamp: string;
  readonly originalTimestamp?: string;
  readonly sentAt?: string;
  readonly receivedAt: string;
  /** Of sampled events: the trace that they belong to (W3C Trace Context). No part of what anybody is sent as the event. */
  readonly traceparent?: string;
  /** Of what an audience tells: when the destination was made that it is for. No part of what anybody is sent. */
  readonly toldTo?: string;
}

/** Whose it is: to delete one of them deletes it (D-12). An alias is of two. */
export function usersOf({ type, userId, previousId }: Pick<Event, 'type' | 'userId' | 'previousId'>): string[] {
  return [userId, type === 'alias' ? previousId : undefined].flatMap((id) => id ?? []);
}

/** An event with where it came from. */
export interface Message {
  /** Full resource name of the source. */
  readonly source: string;
  /** When it was accepted, in steady time (HOOK-21): the four hours count from here (D-23). `event` has the wall's. */
  readonly receivedAt: number;
  readonly event: Event;
}
