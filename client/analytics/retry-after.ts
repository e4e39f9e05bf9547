/** No answer can hold a client back for longer than this at a time. */
const MAX_MS = 300_000;

/** Milliseconds that a `Retry-After` header asks for, in both of its forms, capped; undefined when it asks nothing. */
export function retryAfterMs(header: string | null, now: number): number | undefined {
  const text = header?.trim() ?? '';
  if (/^\d+$/.test(text)) return Math.min(Number(text) * 1000, MAX_MS);
  // Anything but an HTTP date is ignored: Date.parse alone would take `-5` or `1.5` for years.
  if (!/^[A-Za-z]{3,9}, /.test(text)) return undefined;
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.min(Math.max(0, date - now), MAX_MS);
}
