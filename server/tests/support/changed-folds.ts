import type { Event } from '../../model/message.ts';
import type { Caught } from '../../storage/inbox.ts';
import type { MeasuredSpace, ProfileStorage } from '../../storage/profile-storage.ts';
import type { ArrayInbox } from '../conformance/profile-place.ts';

const HOUR = 3_600_000;

/** What an engine of profiles does otherwise than a good one. */
export type ProfileBreak = (own: ProfileStorage, inbox: ArrayInbox) => Partial<ProfileStorage>;

export type CaughtEvent = Partial<Event>;

/** Folds other events than were caught; each is changed once. */
export function folding(change: (event: CaughtEvent) => readonly CaughtEvent[]): ProfileBreak {
  const changed = new WeakSet<Caught>();
  return (own, inbox) => ({
    fold: (request) => {
      inbox.rows = inbox.rows.flatMap((row) => (changed.has(row) ? [row] : changedRows(row)));
      return own.fold(request);
    },
  });

  function changedRows({ id, source, caught }: Caught): Caught[] {
    const event: CaughtEvent = JSON.parse(caught);
    const rows = change(event).map((one) => ({ id, source, caught: JSON.stringify(one) }));
    for (const row of rows) changed.add(row);
    return rows;
  }
}

export function measuring(change: (space: MeasuredSpace) => MeasuredSpace): ProfileBreak {
  return (own: ProfileStorage) => ({
    fold: (request) => own.fold({ ...request, spaces: async () => (await request.spaces()).map(change) }),
  });
}

export function at(event: CaughtEvent, ms: number): CaughtEvent {
  const timestamp = new Date(ms).toISOString();
  return { ...event, timestamp, receivedAt: timestamp };
}

export function idOf(anonymousId: string | undefined): Pick<CaughtEvent, 'anonymousId'> {
  return anonymousId === undefined ? {} : { anonymousId };
}

export function hourAfter(timestamp = ''): number {
  return Math.ceil(Date.parse(timestamp) / HOUR) * HOUR;
}
