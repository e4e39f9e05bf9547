import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import type { Event } from '../../../model/message.ts';

/**
 * Gives SQL two functions over stored events: `field_of(event, name)`, a text or null, and `emptied(event)`, the event
 * without what it tells of its user. SQLite's own functions refuse JSON nested deeper than 1 000 levels: one such event
 * would fail each list that it stands in, and everything that shared its transaction.
 */
export function addEventFunctions(database: DatabaseSync): void {
  const options = { deterministic: true };
  database.function('field_of', options, (event, name) => {
    const value: unknown = Reflect.get(read(event), String(name));
    return typeof value === 'string' ? value : null;
  });
  database.function('emptied', options, (event) => {
    const { type, messageId, timestamp, receivedAt } = read(event);
    return JSON.stringify({ type, messageId, timestamp, receivedAt, context: {} } satisfies Event);
  });
}

function read(event: SQLOutputValue): Event {
  // It was written by this store as JSON of this type.
  return JSON.parse(String(event));
}
