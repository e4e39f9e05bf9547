import { Refusal, wrong } from './result.ts';

/** ISO 8601 with a zone: any fraction of a second, `Z` or an offset. */
const WITH_ZONE = /^\d{4}-\d\d-\d\dT([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,9})?)?(Z|[+-]([01]\d|2[0-3]):?[0-5]\d)$/;

/**
 * The `timestamp` as it is sent (LIB-17). A Date becomes ISO 8601 in UTC; a text with a zone is sent as it stands, so
 * that its offset and its nanoseconds are kept. A text without a zone is refused: every reader would guess another
 * instant.
 */
export function timestampText(value: unknown): string {
  if (value instanceof Date) {
    // A year of more digits, as of milliseconds that were multiplied once more, is none to the server.
    return timestampText(Number.isNaN(value.getTime()) ? String(value) : value.toISOString());
  }
  if (typeof value !== 'string') throw wrong('timestamp', 'a Date or a text with a zone', value);
  if (WITH_ZONE.test(value) && isDay(value.slice(0, 10))) return value;
  const given = JSON.stringify(value.slice(0, 40));
  throw new Refusal(`timestamp ${given} names no instant such as 2026-01-31T12:00:00Z`);
}

/** Engines read the 30th of February as a day in March; it is none. */
function isDay(text: string): boolean {
  return JSON.stringify(new Date(`${text}T00:00:00Z`)).includes(text);
}
