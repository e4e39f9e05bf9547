/**
 * Why an event is not kept: the closed public vocabulary (D-42). The first words are those that integrators know from
 * elsewhere; the last two are ours.
 */
export const DROP_REASONS = [
  /** The batch holds no event at all; counted once. */
  'empty_batch',
  /** Neither `userId` nor `anonymousId`. */
  'no_user_anon_id',
  /** A group without `groupId`, or an alias without `previousId` or `userId`. */
  'id_required',
  /** An id that is neither text nor a number, or the only id given is empty. */
  'id_not_string',
  'event_not_defined',
  'event_not_string',
  'properties_not_object',
  'traits_not_object',
  /** The name of a page or screen is empty, or no text. */
  'name_not_string',
  'category_not_string',
  /** Not an object, of no known type, or with a context or integrations that are no objects. */
  'bad_request',
  /** Over 32 KB (ING-3). */
  'event_too_large',
  /** In a batch of more than 2 500. */
  'too_many_events',
] as const;

export type DropReason = (typeof DROP_REASONS)[number];

export type DropCounts = ReadonlyMap<DropReason, number>;

/** A dropped event, with what an integrator needs to find it at the sender; never its content. */
export interface Drop {
  readonly reason: DropReason;
  /** ISO 8601 in UTC. */
  readonly receivedAt: string;
  /** As sent, as far as they were text, and cut to a bounded length. */
  readonly type?: string;
  readonly messageId?: string;
  readonly event?: string;
}

/** The events that ingestion dropped, by source (D-42). `source` is a full resource name. */
export interface DroppedEvents {
  /** Adds the drops of one request: all counts, and the last of the drops. */
  add(source: string, counts: DropCounts, last: readonly Drop[]): void;
  /** Since this process began. */
  of(source: string): DropCounts;
  /** The last ones, newest first; no more than are kept. */
  lastOf(source: string): readonly Drop[];
}
