import { countText } from './numbers.ts';

const HEIGHT = 96;
const STEP = 20;
const BAR = 14;
const TIME_OF_DAY = new Intl.DateTimeFormat('en', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });

export const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;

/** What one minute or hour came to. */
export interface Bar {
  /** When it began, in milliseconds. */
  readonly start: number;
  readonly good: number;
  readonly bad: number;
  /** Drawn as a line over the bars. */
  readonly line?: number;
}

/** The last so many minutes or hours, those with nothing too. */
export function lastBars(bars: readonly Bar[], count: number, unitMs: number, now: number): readonly Bar[] {
  const first = Math.floor(now / unitMs) * unitMs - (count - 1) * unitMs;
  const known = new Map(bars.map((bar) => [bar.start, bar]));
  return Array.from({ length: count }, (_, index) => {
    const start = first + index * unitMs;
    return known.get(start) ?? { start, good: 0, bad: 0, line: 0 };
  });
}

interface Words {
  readonly good: string;
  readonly bad: string;
  readonly line?: string;
}

interface TimeBarsProps {
  readonly bars: readonly Bar[];
  readonly words: Words;
  /** `hour` or `minute`. */
  readonly unit: string;
}

/** What went wrong stands on what went well. The figures of a bar show on hover. */
export function TimeBars({ bars, words, unit }: TimeBarsProps) {
  const most = Math.max(1, ...bars.map(({ good, bad, line = 0 }) => Math.max(good + bad, line)));
  const label = `${words.good} and ${words.bad.toLowerCase()}, ${unit} by ${unit}; at most ${countText(most)} in ${unit === 'hour' ? 'an hour' : 'a minute'}`;
  return (
    <figure className="hours">
      <div className="most muted small number">{countText(most)}</div>
      <svg viewBox={`0 0 ${bars.length * STEP} ${HEIGHT}`} role="img" aria-label={label} preserveAspectRatio="none">
        <line className="grid" x1={0} x2={bars.length * STEP} y1={0.5} y2={0.5} />
        <line className="grid" x1={0} x2={bars.length * STEP} y1={HEIGHT / 2} y2={HEIGHT / 2} />
        {bars.map((bar, index) => (
          <OneBar key={bar.start} bar={bar} x={index * STEP} most={most} words={words} />
        ))}
        {words.line !== undefined && <Line bars={bars} most={most} />}
      </svg>
      <Caption bars={bars} words={words} />
    </figure>
  );
}

function Caption({ bars, words: { good, bad, line } }: Pick<TimeBarsProps, 'bars' | 'words'>) {
  const [first, last] = [bars[0], bars.at(-1)];
  return (
    <figcaption className="row-between muted small">
      <span>{first !== undefined && TIME_OF_DAY.format(first.start)}</span>
      <span className="row">
        {line !== undefined && <span className="key line">{line}</span>}
        <span className="key good">{good}</span>
        <span className="key bad">{bad}</span>
      </span>
      <span>{last !== undefined && TIME_OF_DAY.format(last.start)}</span>
    </figcaption>
  );
}

function heightOf(value: number, most: number): number {
  return value === 0 ? 0 : Math.max(2, ((HEIGHT - 2) * value) / most);
}

/** A step for each bar that has something; between those that have nothing there is no slope to be seen. */
function Line({ bars, most }: { readonly bars: readonly Bar[]; readonly most: number }) {
  const steps = bars.map(({ line = 0 }, index) => {
    if (line === 0) return '';
    const begun = index > 0 && (bars[index - 1]?.line ?? 0) > 0;
    return `${begun ? 'L' : 'M'} ${index * STEP} ${HEIGHT - heightOf(line, most)} h ${STEP}`;
  });
  return <path className="line" d={steps.join(' ').trim()} />;
}

interface OneBarProps {
  readonly bar: Bar;
  readonly x: number;
  readonly most: number;
  readonly words: Words;
}

/** One without anything keeps a line, so that the axis is seen. */
function OneBar({ bar: { start, good, bad, line }, x, most, words }: OneBarProps) {
  const [goodHeight, badHeight] = [heightOf(good, most), heightOf(bad, most)];
  const left = x + (STEP - BAR) / 2;
  const top = HEIGHT - goodHeight;
  const told = [
    ...(words.line === undefined ? [] : [`${countText(line ?? 0)} ${words.line.toLowerCase()}`]),
    `${countText(good)} ${words.good.toLowerCase()}`,
    `${countText(bad)} ${words.bad.toLowerCase()}`,
  ];
  return (
    <g>
      <title>{`${TIME_OF_DAY.format(start)}: ${told.join(', ')}`}</title>
      <rect className="none" x={x} y={0} width={STEP} height={HEIGHT} />
      <rect className="axis" x={left} y={HEIGHT - 1} width={BAR} height={1} />
      <rect className="good" x={left} y={top} width={BAR} height={goodHeight} />
      <rect className="bad" x={left} y={Math.max(0, top - badHeight)} width={BAR} height={badHeight} />
    </g>
  );
}
