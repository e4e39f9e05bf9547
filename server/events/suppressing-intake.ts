import { createDrops } from './drops.ts';
import type { DroppedEvents } from '../losses/dropped-events-port.ts';
import type { Log } from '../ports/log.ts';
import type { Event } from '../model/message.ts';
import type { Intake } from './intake.ts';
import type { SuppressedUsers, Suppressions } from './suppressions.ts';

interface Ports {
  readonly suppressions: Pick<Suppressions, 'appliedTo'>;
  readonly dropped: DroppedEvents;
  readonly log: Log;
}

/** An intake that neither stores nor routes events of suppressed users (D-12); they are counted as dropped (D-42). */
export function suppressing(intake: Intake, { suppressions, dropped, log }: Ports): Intake {
  return {
    async accept(arrival) {
      const { source, events } = arrival;
      const lists = await suppressions.appliedTo(source);
      const unwanted = lists.length === 0 ? [] : events.filter((event) => concerns(event, lists));
      if (unwanted.length === 0) return intake.accept(arrival);
      const left = events.filter((event) => !concerns(event, lists));
      const receipt = left.length === 0 ? NOTHING : await intake.accept({ ...arrival, events: left });
      // Counted last: a request that could not be stored is sent again, and would count twice.
      const drops = createDrops(unwanted[0]?.receivedAt ?? '');
      for (const event of unwanted) drops.add(event, 'suppressed');
      dropped.add(source, drops.counts, drops.last);
      log.info({ source, suppressed: unwanted.length }, 'events of suppressed users dropped');
      return receipt;
    },
  };
}

const NOTHING = { accepted: 0, duplicates: 0 } as const;

function concerns({ userId, previousId }: Event, lists: readonly SuppressedUsers[]): boolean {
  return lists.some(
    (users) => (userId !== undefined && users.has(userId)) || (previousId !== undefined && users.has(previousId)),
  );
}
