import type { Directory } from '../directory/directory.ts';
import type { Event } from '../model/message.ts';
import { forwardingOf } from '../tracking/schema-settings.ts';

/** Deliveries that one request stores at once: other requests wait for the commit (SAFE-2). */
export const DELIVERIES_AT_ONCE = 5_000;

type Sources = Pick<Directory, 'source'>;

/** The events of a request as they are stored, one part after the other. There is always a part, and an event in each but an only one. */
export function inParts(sources: Sources, source: string, events: readonly Event[]): readonly (readonly Event[])[] {
  if (events.length <= 1) return [events];
  const size = Math.max(1, Math.floor(DELIVERIES_AT_ONCE / Math.max(1, deliveriesOfEvent(sources, source))));
  if (events.length <= size) return [events];
  const parts = Math.ceil(events.length / size);
  return Array.from({ length: parts }, (_, part) => events.slice(part * size, (part + 1) * size));
}

/** At most: it may be forwarded, and what is told of it as well. */
function deliveriesOfEvent(sources: Sources, name: string): number {
  const source = sources.source(name);
  if (source === undefined) return 0;
  const routesOf = (target = ''): number => sources.source(target)?.routes.length ?? 0;
  const { blocked, violations } = forwardingOf(source);
  return source.routes.length + routesOf(blocked) + routesOf(violations);
}
