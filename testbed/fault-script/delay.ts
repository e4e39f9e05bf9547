import type { Draw } from './random.ts';
import { Complaint, show } from './script-error.ts';
import type { Delay, Duration } from './step.ts';
import { milliseconds, normalDuration } from './units.ts';

const WIDEST_SIGMA = 5;
/** A lognormal tail is cut here, so that no draw outlasts every timer. */
const MAX_MS = 24 * 3_600_000;

/** How long to wait this time. Draws 0 and 1 decide. */
export function sampleDelay(delay: Delay | undefined, draw: Draw): number {
  if (delay === undefined) return 0;
  if (typeof delay === 'string') return milliseconds(delay);
  if ('uniform' in delay) {
    const [from, to] = delay.uniform.map(milliseconds);
    return Math.round((from ?? 0) + draw(0) * ((to ?? 0) - (from ?? 0)));
  }
  const { median, sigma } = delay.lognormal;
  return Math.min(MAX_MS, Math.round(milliseconds(median) * Math.exp(sigma * normal(draw))));
}

/** Box-Muller; `1 - draw` keeps the logarithm finite. */
function normal(draw: Draw): number {
  return Math.sqrt(-2 * Math.log(1 - draw(0))) * Math.cos(2 * Math.PI * draw(1));
}

export function normalDelay(value: unknown): Delay {
  if (typeof value === 'object' && value !== null) {
    if ('uniform' in value && Array.isArray(value.uniform)) return { uniform: normalRange(value.uniform) };
    if ('lognormal' in value) return { lognormal: normalLognormal(value.lognormal) };
  }
  return positive(value);
}

/** `6s`, `1s..3s` or `800ms~0.5`: median, then sigma. */
export function parseDelay(text: string): unknown {
  const [from, to] = text.split('..');
  if (to !== undefined) return { uniform: [from, to] };
  const [median, sigma] = text.split('~');
  return sigma === undefined ? text : { lognormal: { median, sigma: Number(sigma) } };
}

export function printDelay(delay: Delay): string {
  if (typeof delay === 'string') return delay;
  return 'uniform' in delay ? delay.uniform.join('..') : `${delay.lognormal.median}~${delay.lognormal.sigma}`;
}

function normalRange(range: readonly unknown[]): readonly [Duration, Duration] {
  const [from, to] = [normalDuration(range[0]), normalDuration(range[1])];
  if (range.length === 2 && milliseconds(from) < milliseconds(to)) return [from, to];
  throw new Complaint(`${show(range)} is no range; write the shorter duration first, such as 1s..3s`);
}

function normalLognormal(value: unknown): { median: Duration; sigma: number } {
  const { median, sigma }: { median?: unknown; sigma?: unknown } =
    typeof value === 'object' && value !== null ? value : {};
  if (typeof sigma === 'number' && sigma > 0 && sigma <= WIDEST_SIGMA) return { median: positive(median), sigma };
  throw new Complaint(
    `${show(sigma)} is no sigma; write a median and a spread above 0, at most ${WIDEST_SIGMA}, such as 800ms~0.5`,
  );
}

function positive(value: unknown): Duration {
  const duration = normalDuration(value);
  if (milliseconds(duration) > 0) return duration;
  throw new Complaint(`${duration} waits for nothing; leave it out`);
}
