import { Complaint, show } from './script-error.ts';
import type { Duration, Size } from './step.ts';

interface Scale<Unit extends string> {
  readonly what: string;
  readonly example: string;
  /** From the smallest, of which a measure is a whole number, to the largest. */
  readonly units: readonly [smallest: Measure<Unit>, ...Measure<Unit>[]];
  readonly most: number;
}
type Measure<Unit> = readonly [unit: Unit, size: number];

const DURATION: Scale<'ms' | 's' | 'm' | 'h'> = {
  what: 'duration',
  example: '6s, 250ms or 4h',
  units: [
    ['ms', 1],
    ['s', 1000],
    ['m', 60_000],
    ['h', 3_600_000],
  ],
  // What a timer can hold: Node fires a longer one at once.
  most: 2_147_483_647,
};

const SIZE: Scale<'B' | 'KB' | 'MB' | 'GB'> = {
  what: 'size',
  example: '512B, 20KB or 2GB',
  units: [
    ['B', 1],
    ['KB', 1024],
    ['MB', 1024 ** 2],
    ['GB', 1024 ** 3],
  ],
  most: 1024 ** 4,
};

export function normalDuration(value: unknown): Duration {
  return print(DURATION, measure(DURATION, value));
}

export function normalSize(value: unknown): Size {
  return print(SIZE, measure(SIZE, value));
}

export function milliseconds(duration: Duration): number {
  return measure(DURATION, duration);
}

/** Of an option in milliseconds. */
export function refuseUnheld(option: string, ms: number | undefined): void {
  if (ms === undefined || (ms > 0 && ms <= DURATION.most)) return;
  throw new TypeError(`The option ${option} is ${ms}; give milliseconds above 0, at most ${DURATION.most}`);
}

export function byteCount(size: Size): number {
  return measure(SIZE, size);
}

function measure<Unit extends string>(scale: Scale<Unit>, value: unknown): number {
  const text = typeof value === 'string' ? value : '';
  const [, digits = '', unit] = /^(\d{1,15}(?:\.\d{1,6})?)\s*([a-zA-Z]+)$/.exec(text) ?? [];
  const [, size] = scale.units.find(([name]) => name === unit) ?? [];
  if (size === undefined) {
    throw new Complaint(`${show(value)} is no ${scale.what}; write a number and a unit, such as ${scale.example}`);
  }
  // Six decimals were read, so more than six in the product are noise of floating point.
  const amount = Number((Number(digits) * size).toFixed(6));
  if (Number.isInteger(amount) && amount <= scale.most) return amount;
  throw new Complaint(`${text} is out of range; write whole ${scale.units[0][0]}, at most ${print(scale, scale.most)}`);
}

/** Normal form: the largest unit that gives a whole number. */
function print<Unit extends string>({ units }: Scale<Unit>, amount: number): `${number}${Unit}` {
  const [unit, size] = units.findLast(([, each]) => amount >= each && amount % each === 0) ?? units[0];
  return `${amount / size}${unit}`;
}
