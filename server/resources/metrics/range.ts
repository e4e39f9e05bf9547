import { ApiError } from '../../http/errors.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const LONGEST = 31 * DAY;
/** What RFC 3339 can write, and so an answer can hold. */
const [EARLIEST, LATEST] = [Date.parse('0001-01-01T00:00:00Z'), Date.parse('9999-12-31T23:59:59Z')];

/** Whole hours, in milliseconds since the epoch: `from` is the begin of the first, `to` the end of the last. */
export interface HourRange {
  readonly from: number;
  readonly to: number;
}

export function readRange(query: { readonly from?: string; readonly to?: string }, now: number): HourRange {
  const to = query.to === undefined ? now : Date.parse(query.to);
  const from = query.from === undefined ? to - DAY : Date.parse(query.from);
  if (from >= to) {
    const given = `${query.from ?? '24 hours before to'} and ${query.to ?? 'now'}`;
    throw new ApiError('InvalidArgument', `from must be before to, got ${given}`);
  }
  if (to - from > LONGEST)
    throw new ApiError(
      'InvalidArgument',
      `from and to must be at most 31 days apart, got ${query.from} and ${query.to ?? 'now'}`,
    );
  const range = { from: Math.floor(from / HOUR) * HOUR, to: Math.ceil(to / HOUR) * HOUR };
  if (range.from < EARLIEST || range.to > LATEST) {
    throw new ApiError('InvalidArgument', 'from and to must be between the years 1 and 9999');
  }
  return range;
}
