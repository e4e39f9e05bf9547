/** Milliseconds that a `Retry-After` header asks for, in both of its forms; 0 when it asks for nothing sensible. */
export function retryAfterMs(header: string | undefined, now: number): number {
  if (header === undefined) return 0;
  const text = header.trim();
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  // Anything but an HTTP date is ignored: Date.parse alone would take `-5` or `1.5` for years.
  if (!/^[A-Za-z]{3,9}, /.test(text)) return 0;
  const date = Date.parse(text);
  return Number.isNaN(date) ? 0 : Math.max(0, date - now);
}
