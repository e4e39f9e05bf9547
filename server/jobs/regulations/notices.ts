import type { StoredRegulation } from '../../model/regulation.ts';
import type { Event } from '../../model/message.ts';

/**
 * The `delete` events of a regulation: one for each user, since an event has room for one id. A source that got them
 * before knows their messageIds again, so a start that repeats them tells nobody twice (D-43).
 */
export function noticesOf({ regulate_id: id, user_ids: users, create_time }: StoredRegulation): Event[] {
  // Regulations of earlier versions were stored with whole seconds; bodies have milliseconds (HOOK-13).
  const time = new Date(create_time).toISOString();
  return users.map((userId, index) => ({
    type: 'delete',
    messageId: `delete-${id}-${index}`,
    userId,
    context: {},
    timestamp: time,
    receivedAt: time,
  }));
}
