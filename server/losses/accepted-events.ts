import type { Event } from '../model/message.ts';
import { bytesOfTexts, createBounded, createLastItems, cutText, ITEM_BYTES } from './bounded.ts';

/** An accepted event, with what somebody needs to recognize it; never its content. */
export interface AcceptedEvent {
  readonly type: Event['type'];
  readonly messageId: string;
  readonly event: string;
  /** ISO 8601 in UTC. */
  readonly receivedAt: string;
}

/** The events that were accepted, by source. `source` is a full resource name. */
export interface AcceptedEvents {
  add(source: string, events: readonly Event[]): void;
  /** Since this process began. */
  countOf(source: string): number;
  /** Newest first; no more than are kept. */
  lastOf(source: string): readonly AcceptedEvent[];
  /** Of one source with each step. */
  removeLast(isOf: (source: string) => boolean, isGone: (event: AcceptedEvent) => boolean): Iterable<void>;
  /** All of these sources. */
  forget(isOf: (source: string) => boolean): void;
}

/** How many can be read, of each source: enough to see that they come, and little to write for each request. */
export const KEPT_EVENTS = 20;
/** What the lists and the counts of all sources take together at most; beyond, those that got no event for longest lose theirs. */
const BYTES = { lists: 8_000_000, counts: 16_000_000 } as const;
const TEXT_LENGTH = 100;

/** In memory: it tells whoever connects a source that its events come. */
export function createAcceptedEvents(
  most: { readonly lists: number; readonly counts: number } = BYTES,
): AcceptedEvents {
  const counts = createBounded<number>(most.counts);
  const lists = createLastItems<AcceptedEvent>({ items: KEPT_EVENTS, bytes: most.lists, textsOf });
  return {
    add(source, events) {
      if (events.length === 0) return;
      counts.put(source, (counts.get(source) ?? 0) + events.length, ITEM_BYTES + bytesOfTexts([source]));
      lists.add(source, events.slice(-KEPT_EVENTS).map(acceptedEvent));
    },
    countOf: (source) => counts.get(source) ?? 0,
    lastOf: (source) => lists.of(source),
    removeLast: (isOf, isGone) => lists.remove(isOf, isGone),
    forget(isOf) {
      counts.remove(isOf);
      lists.forget(isOf);
    },
  };
}

function acceptedEvent({ type, messageId, event = '', receivedAt }: Event): AcceptedEvent {
  return { type, messageId: cutText(messageId, TEXT_LENGTH), event: cutText(event, TEXT_LENGTH), receivedAt };
}

function textsOf({ messageId, event }: AcceptedEvent): string[] {
  return [messageId, event];
}
