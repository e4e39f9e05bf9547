/**
 * A moment in ISO 8601, in milliseconds; undefined for what is none. It shares nothing with the router's own reading: a second of
 * 60 is the next minute's first, 24:00 is the next day's, and what has no zone is UTC.
 */
export function momentOf(text: string): number | undefined {
  const [whole, date = '', clock = '', zone = ''] =
    /^(\d{4}-\d{1,2}-\d{1,2})(?:[T ]([\d:.]+)(Z|[+-]\d\d:?\d\d)?)?$/i.exec(text) ?? [];
  if (whole === undefined) return undefined;
  const [day, time] = [midnightOf(date), timeOf(clock)];
  return day === undefined || time === undefined ? undefined : day + time - offsetOf(zone);
}

function midnightOf(date: string): number | undefined {
  const [year = 0, month = 0, day = 0] = date.split('-').map(Number);
  const midnight = new Date(0);
  midnight.setUTCFullYear(year, month - 1, day);
  return midnight.getUTCMonth() === month - 1 && midnight.getUTCDate() === day ? midnight.getTime() : undefined;
}

function timeOf(clock: string): number | undefined {
  if (clock === '') return 0;
  const [whole = '', fraction = ''] = clock.split('.');
  const [hour = 0, minute = 0, second = 0] = whole.split(':').map(Number);
  const isClock = hour < 24 || (hour === 24 && minute === 0 && second === 0);
  // What is behind the millisecond is cut off.
  const milliseconds = 3_600_000 * hour + 60_000 * minute + 1_000 * second + Number(`${fraction}000`.slice(0, 3));
  return isClock && minute < 60 && second < 61 ? milliseconds : undefined;
}

function offsetOf(zone: string): number {
  const [, sign = '', hours = 0, minutes = 0] = /^([+-])(\d\d):?(\d\d)$/.exec(zone) ?? [];
  return Number(`${sign}1`) * 60_000 * (60 * Number(hours) + Number(minutes)) || 0;
}
