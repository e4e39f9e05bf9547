import type { LiveEvents } from '@waybill/client/config';

export type LiveEvent = LiveEvents['accepted_events'][number];

/** What a page keeps of a stream: as many as somebody may look through, newest first. */
export interface Heard {
  readonly events: readonly Numbered[];
  readonly count: number;
}

/** Ids of messages may come twice; the place in the stream does not. */
export interface Numbered {
  readonly number: number;
  readonly event: LiveEvent;
}

export const MAX_HEARD = 200;
export const NOTHING_HEARD: Heard = { events: [], count: 0 };

export function heardMore(heard: Heard, { count, accepted_events: accepted }: LiveEvents): Heard {
  const first = (heard.events[0]?.number ?? 0) + 1;
  const fresh = accepted.map((event, index) => ({ number: first + index, event })).toReversed();
  return { events: [...fresh, ...heard.events].slice(0, MAX_HEARD), count: heard.count + count };
}

/** Whether the text stands in the name, the type, an id, or anywhere in what was sent. */
export function matches({ event }: Numbered, text: string): boolean {
  return text === '' || JSON.stringify(event).toLowerCase().includes(text);
}
