import { countText } from './numbers.ts';

const HOUR_MS = 3_600_000;
const HOURS = 24;
const HEIGHT = 96;
const STEP = 20;
const BAR = 14;
const TIME_OF_DAY = new Intl.DateTimeFormat('en', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });

/** What one hour came to. */
export interface Hour {
  /** When it began, in milliseconds. */
  readonly start: number;
  readonly good: number;
  readonly bad: number;
}

interface Points {
  readonly time: string;
  readonly value: number;
}

/** The last 24 hours out of points for those in which there was something. */
export function hoursOf(good: readonly Points[], bad: readonly Points[], now: number): readonly Hour[] {
  const first = Math.floor(now / HOUR_MS) * HOUR_MS - (HOURS - 1) * HOUR_MS;
  const sumAt = (points: readonly Points[], start: number): number =>
    points.filter(({ time }) => Date.parse(time) === start).reduce((sum, { value }) => sum + value, 0);
  return Array.from({ length: HOURS }, (_, index) => {
    const start = first + index * HOUR_MS;
    return { start, good: sumAt(good, start), bad: sumAt(bad, start) };
  });
}

interface HourChartProps {
  readonly hours: readonly Hour[];
  readonly good: string;
  readonly bad: string;
}

/** A bar for each hour; what went wrong stands on what went well. The figures of an hour show on hover. */
export function HourChart({ hours, good, bad }: HourChartProps) {
  const most = Math.max(1, ...hours.map((hour) => hour.good + hour.bad));
  const [first, last] = [hours[0], hours.at(-1)];
  const label = `${good} and ${bad.toLowerCase()}, hour by hour; at most ${countText(most)} in an hour`;
  return (
    <figure className="hours">
      <svg viewBox={`0 0 ${HOURS * STEP} ${HEIGHT}`} role="img" aria-label={label} preserveAspectRatio="none">
        {hours.map((hour, index) => (
          <HourBar key={hour.start} hour={hour} x={index * STEP} most={most} words={{ good, bad }} />
        ))}
      </svg>
      <figcaption className="row-between muted small">
        <span>{first !== undefined && TIME_OF_DAY.format(first.start)}</span>
        <span className="row">
          <span className="key good">{good}</span>
          <span className="key bad">{bad}</span>
        </span>
        <span>{last !== undefined && TIME_OF_DAY.format(last.start)}</span>
      </figcaption>
    </figure>
  );
}

interface HourBarProps {
  readonly hour: Hour;
  readonly x: number;
  readonly most: number;
  readonly words: Pick<HourChartProps, 'good' | 'bad'>;
}

/** An hour without anything keeps a line, so that the axis is seen. */
function HourBar({ hour: { start, good, bad }, x, most, words }: HourBarProps) {
  const heightOf = (value: number): number => (value === 0 ? 0 : Math.max(2, ((HEIGHT - 2) * value) / most));
  const [goodHeight, badHeight] = [heightOf(good), heightOf(bad)];
  const left = x + (STEP - BAR) / 2;
  const top = HEIGHT - goodHeight;
  return (
    <g>
      <title>{`${TIME_OF_DAY.format(start)}: ${countText(good)} ${words.good.toLowerCase()}, ${countText(bad)} ${words.bad.toLowerCase()}`}</title>
      <rect className="none" x={x} y={0} width={STEP} height={HEIGHT} />
      <rect className="axis" x={left} y={HEIGHT - 1} width={BAR} height={1} />
      <rect className="good" x={left} y={top} width={BAR} height={goodHeight} />
      <rect className="bad" x={left} y={Math.max(0, top - badHeight)} width={BAR} height={badHeight} />
    </g>
  );
}
