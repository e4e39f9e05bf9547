import { createDrops } from './drops.ts';
import type { Resources } from '../storage/config-store.ts';
import type { DroppedEvents } from '../losses/dropped-events-port.ts';
import type { Log } from '../ports/log.ts';
import type { Event } from '../model/message.ts';
import { isWanted, publishedName } from './route.ts';

type Destination = Resources['destinations'];

export interface UndeliverablePorts {
  readonly dropped: DroppedEvents;
  readonly log: Log;
}

/** Counts what would go to destinations that deliver nothing; given the events that were stored, and all destinations. */
export type CountUndeliverable = (
  source: string,
  events: readonly Event[],
  destinations: readonly Destination[],
) => void;

/** D-11. Each such destination is told of in the log once, with its first event; a change of it begins anew. */
export function countUndeliverable({ dropped, log }: UndeliverablePorts): CountUndeliverable {
  const told = new WeakSet<Destination>();
  return (source, events, destinations) => {
    for (const destination of destinations) {
      const { name, enabled, display_name: published } = destination;
      if (!enabled || publishedName(name) !== undefined) continue;
      const lost = events.filter((event) => isWanted(published, event.integrations));
      const [first] = lost;
      if (first === undefined) continue;
      const drops = createDrops(first.receivedAt);
      for (const event of lost) drops.add(event, 'undeliverable');
      dropped.add(source, drops.counts, drops.last);
      if (told.has(destination)) continue;
      told.add(destination);
      log.warn(
        { destination: name },
        'this destination is of a kind that delivers nothing: its events are counted as undeliverable',
      );
    }
  };
}
