const MINUTE_MS = 60_000;

/** 0000-01-01 and the end of 9999: what ISO 8601 writes with four digits of the year. */
const EARLIEST = -62_167_219_200_000;
const LATEST = 253_402_300_799_999;

export function isWritable(instant: number): boolean {
  return instant >= EARLIEST && instant <= LATEST;
}

/**
 * Writes instants as ISO 8601 in UTC with milliseconds (HOOK-13). The events of a batch lie close together, so the last
 * minute is remembered: Date.toISOString for each of them would cost more than the rest of normalising.
 */
export function createIsoWriter(): (instant: number) => string {
  let lastMinute = Number.NaN;
  let prefix = '';
  return (instant) => {
    const minute = Math.floor(instant / MINUTE_MS);
    if (minute !== lastMinute) {
      lastMinute = minute;
      prefix = new Date(minute * MINUTE_MS).toISOString().slice(0, 17);
    }
    const ms = String(instant - minute * MINUTE_MS + 100_000);
    // Joined, because a text that was added together stays in pieces, and makes the JSON of its event twice as dear.
    return [prefix, ms.slice(1, 3), '.', ms.slice(3), 'Z'].join('');
  };
}
