import { isSuppressed, type SuppressedUsers } from '../directory/suppressed-users.ts';
import type { Event } from '../model/message.ts';
import type { Batch, Outcome } from './stage.ts';

/** Stage: events of suppressed users are neither stored nor sent (D-12). */
export function suppress({ source: { suppressed: lists }, events }: Batch): Outcome {
  if (lists.length === 0) return { kept: events };
  const isUnwanted = (event: Event): boolean => lists.some((users) => concerns(event, users));
  const unwanted = events.filter(isUnwanted);
  if (unwanted.length === 0) return { kept: events };
  const kept = events.filter((event) => !isUnwanted(event));
  return { kept, losses: unwanted.map((event) => ({ event, reason: 'suppressed' })) };
}

function concerns({ userId, previousId }: Event, users: SuppressedUsers): boolean {
  return [userId, previousId].some((id) => id !== undefined && isSuppressed(users, id));
}
