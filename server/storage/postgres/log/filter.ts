import type { LogFilter } from '../../../model/logged-delivery.ts';

/** Holds of the rows that a filter chooses, its times apart; the first four parameters are those of `valuesOf`. */
export const CHOSEN = `
  ($1::text[] IS NULL OR state = ANY($1)) AND ($2::text IS NULL OR type = $2)
  AND ($3::text IS NULL OR event = $3) AND ($4::text IS NULL OR user_id = $4)`;

/** Whether the filter chooses deliveries of a state: where it does not, their table is not read. */
export function wants(state: 'pending' | 'trying'): string {
  return `($1::text[] IS NULL OR '${state}' = ANY($1))`;
}

export function valuesOf({ states, type, event, userId }: LogFilter): readonly unknown[] {
  return [states ?? null, type ?? null, event ?? null, userId ?? null];
}
