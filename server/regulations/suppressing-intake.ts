import type { Log } from '../ports/log.ts';
import type { Event } from '../ports/message.ts';
import type { Intake } from '../routing/intake.ts';
import type { SuppressedUsers, Suppressions } from './suppressions.ts';

/** An intake that neither stores nor routes events of suppressed users (D-12). */
export function suppressing(intake: Intake, suppressions: Pick<Suppressions, 'of'>, log: Log): Intake {
  return {
    async accept(arrival) {
      const { source, events } = arrival;
      const users = await suppressions.of(source.split('/').slice(0, 2).join('/'));
      const wanted = users.size === 0 ? events : events.filter((event) => !concerns(event, users));
      const suppressed = events.length - wanted.length;
      if (suppressed > 0) log.info({ source, suppressed }, 'events of suppressed users dropped');
      if (wanted.length === 0) return { accepted: 0, duplicates: 0 };
      return intake.accept({ ...arrival, events: wanted });
    },
  };
}

function concerns({ userId, previousId }: Event, users: SuppressedUsers): boolean {
  return (userId !== undefined && users.has(userId)) || (previousId !== undefined && users.has(previousId));
}
