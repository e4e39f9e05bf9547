/** No answer can hold a client back for longer than this at a time. */
const MAX_MS = 300_000;

/** Milliseconds that a `Retry-After` header asks for, in both of its forms, capped; undefined when it asks nothing. */
export function retryAfterMs(header: string | null | undefined, now: number): number | undefined {
  const text = header?.trim() ?? '';
  // Anything but an HTTP date is none: Date.parse alone would take `-5` or `1.5` for years.
  const date = /^[A-Za-z]{3,9}, /.test(text) ? Date.parse(text) : Number.NaN;
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Math.max(0, date - now);
  return Number.isNaN(ms) ? undefined : Math.min(ms, MAX_MS);
}
