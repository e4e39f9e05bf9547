import type { Incident, News, Receiver, Summary } from './control.ts';

/** What the page knows: as many requests as somebody may look through, newest first. */
export interface Arrived {
  /** Undefined until the receiver has told of itself. */
  readonly receiver: Receiver | undefined;
  readonly requests: readonly Summary[];
  readonly incidents: readonly Numbered[];
}

/** Two may say the same. */
export interface Numbered extends Incident {
  readonly number: number;
}

export const MAX_LISTED = 500;
const MAX_INCIDENTS = 20;
export const NOTHING: Arrived = { receiver: undefined, requests: [], incidents: [] };

/** Whoever tells `isFresh` tells all that counts; else it is added, and what changed takes the place of what was. */
export function withNews(before: Arrived, { isFresh, receiver, requests, incidents }: News): Arrived {
  const base = isFresh ? NOTHING : before;
  const fresh = new Map(requests.map((request) => [request.number, request]));
  const known = new Set(base.requests.map(({ number }) => number));
  const changed = base.requests.map((request) => fresh.get(request.number) ?? request);
  const added = requests.filter(({ number }) => !known.has(number));
  const first = (base.incidents[0]?.number ?? 0) + 1;
  const told = incidents.map((incident, index) => ({ ...incident, number: first + index })).toReversed();
  return {
    receiver,
    requests: [...added, ...changed].toSorted((a, b) => b.number - a.number).slice(0, MAX_LISTED),
    incidents: [...told, ...base.incidents].slice(0, MAX_INCIDENTS),
  };
}

/** Whether the text stands in what the list knows of a request. */
export function matches(request: Summary, text: string): boolean {
  return text === '' || JSON.stringify(request).toLowerCase().includes(text);
}
