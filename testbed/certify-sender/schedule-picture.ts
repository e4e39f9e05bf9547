import { digits, escaped } from '../report/markup.ts';
import { spanText } from '../report/time-text.ts';
import { endOf, type Sent } from './sent.ts';

/** An attempt of the event that failed again and again; times are milliseconds since the first one. */
export interface ScheduledAttempt {
  readonly at: number;
  /** Between the end of the attempt before and this one; undefined of the first. */
  readonly waitMs: number | undefined;
  readonly isTaken: boolean;
}

const WIDTH = 900;
const HEIGHT = 92;
const EDGE = 28;
const LINE = 50;
/** Two labels that are closer would lie on each other. */
const LABEL = 58;

export function scheduleOf(attempts: readonly Sent[]): readonly ScheduledAttempt[] {
  const start = attempts[0]?.at ?? 0;
  return attempts.map(({ at, step }, index) => ({
    at: at - start,
    waitMs: index === 0 ? undefined : at - endOf(attempts[index - 1], at),
    isTaken: step.startsWith('2'),
  }));
}

/** A line of time with a dot for each attempt, and the wait before each one. */
export function schedulePicture(schedule: readonly ScheduledAttempt[]): string {
  const lasts = Math.max(1, schedule.at(-1)?.at ?? 0);
  const x = (at: number): number => EDGE + (at * (WIDTH - 2 * EDGE)) / lasts;
  const dots = schedule.map(({ at, waitMs, isTaken }, index) => {
    const told = `attempt ${index + 1} after ${spanText(at)}: ${isTaken ? 'answered 200' : 'answered 500'}`;
    const from = x(schedule[index - 1]?.at ?? 0);
    const isRoom = waitMs !== undefined && x(at) - from >= LABEL;
    const wait = isRoom
      ? `<text x="${digits((from + x(at)) / 2)}" y="${LINE - 12}">${escaped(spanText(waitMs))}</text>`
      : '';
    return `<circle class="${isTaken ? 'well' : 'ill'}" cx="${digits(x(at))}" cy="${LINE}" r="6"><title>${escaped(told)}</title></circle>${wait}`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${escaped(scheduleText(schedule))}">
<style>${STYLE}</style><line x1="${EDGE}" x2="${WIDTH - EDGE}" y1="${LINE}" y2="${LINE}"/>${dots.join('')}
<text x="${EDGE}" y="${LINE + 28}">0</text><text x="${WIDTH - EDGE}" y="${LINE + 28}">${escaped(spanText(lasts))}</text></svg>`;
}

const STYLE = `line{stroke:#8a93a0;stroke-width:1.5}text{font:13px ui-sans-serif,system-ui,sans-serif;fill:#5c6470;text-anchor:middle}
.ill{fill:#e07b1a}.well{fill:#1f9d63}
@media (prefers-color-scheme:dark){text{fill:#a3adbb}.ill{fill:#ffb05c}.well{fill:#4cd596}}`;

/** `Attempts at 0, 5 s, 25 s; waits of 5 s, 20 s`. */
export function scheduleText(schedule: readonly ScheduledAttempt[]): string {
  const waits = schedule.flatMap(({ waitMs }) => (waitMs === undefined ? [] : [spanText(waitMs)]));
  const moments = schedule.map(({ at }) => spanText(at)).join(', ');
  return waits.length === 0 ? 'No retry was seen' : `Attempts at ${moments}; waits of ${waits.join(', ')}`;
}

/** The same in a terminal, as wide as there is room: `▲──▲─────▲──────────────█`. */
export function scheduleLine(schedule: readonly ScheduledAttempt[], width: number): string {
  const lasts = Math.max(1, schedule.at(-1)?.at ?? 0);
  const cells = Array.from({ length: width }, () => '─');
  for (const { at, isTaken } of schedule) cells[Math.round((at * (width - 1)) / lasts)] = isTaken ? '█' : '▲';
  return schedule.length < 2 ? '' : cells.join('');
}
