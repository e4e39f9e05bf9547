import type { SQLInputValue } from 'node:sqlite';
import type { LogFilter } from '../../../model/logged-delivery.ts';

/** Holds of the rows of `deliveries` that a filter chooses, its times apart; takes the values of `valuesOf`. */
export const CHOSEN = `
  (:states IS NULL OR d.state IN (SELECT value FROM json_each(:states)))
  AND (:type IS NULL OR d.type = :type)
  AND (:event IS NULL OR d.event = :event)
  AND (:userId IS NULL OR d.user_id = :userId)`;

export function valuesOf({ states, type, event, userId }: LogFilter): Record<string, SQLInputValue> {
  return {
    states: states === undefined ? null : JSON.stringify(states),
    type: type ?? null,
    event: event ?? null,
    userId: userId ?? null,
  };
}
