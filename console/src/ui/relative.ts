const RELATIVE = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'short' });
const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
] as const;

/** A time from now, in words: `30 days ago`. */
export function relative(ms: number): string {
  if (Math.abs(ms) < 1_000) return 'now';
  for (const [unit, length] of UNITS) if (Math.abs(ms) >= length) return RELATIVE.format(Math.round(ms / length), unit);
  return 'now';
}
