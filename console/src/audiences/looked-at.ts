import { relative } from '../ui/relative.ts';

const HOUR_MS = 3_600_000;

export interface LookedAt {
  readonly after?: string | undefined;
  readonly until?: string | undefined;
}

/** Which events a condition looks at, by their time: `of the last 30 days`. A window that reaches to now ends with this hour. */
export function lookedAt({ after, until }: LookedAt, now: number): string {
  const ended = until !== undefined && Date.parse(until) <= now ? relative(Date.parse(until) - now) : undefined;
  if (after === undefined) return ended === undefined ? 'of any time' : `until ${ended}`;
  const begun = relative(Date.parse(after) - now);
  if (ended !== undefined) return `from ${begun} to ${ended}`;
  const hours = until === undefined ? NaN : Math.round((Date.parse(until) - Date.parse(after)) / HOUR_MS);
  if (hours === 1) return 'of this hour';
  if (hours < 48) return `of the last ${hours} hours`;
  return hours % 24 === 0 ? `of the last ${hours / 24} days` : `since ${after.slice(0, 16).replace('T', ' ')} UTC`;
}
