import { type DeliveryPolicy, DEFAULT_POLICY } from '../../../server/model/policy.ts';
import { nearest } from '../../../server/nearest.ts';
import { normalDuration, milliseconds } from '../../fault-script/units.ts';

const DURATIONS = {
  window: 'windowMs',
  deadline: 'deadlineMs',
  'first-wait': 'firstWaitMs',
  'max-wait': 'maxWaitMs',
} as const satisfies Record<string, keyof DeliveryPolicy>;
const COUNTS = {
  'park-after': 'parkAfter',
  'per-destination': 'perDestination',
  'ramp-start': 'rampStart',
} as const satisfies Record<string, keyof DeliveryPolicy>;

/** Reads `first-wait=1m,park-after=1000` into the figures of a policy; throws a RangeError that names what is wrong. */
export function readPolicy(text: string): Partial<DeliveryPolicy> {
  const entries = text.split(',').map((part) => readEntry(part.trim()));
  const policy = { ...DEFAULT_POLICY, ...Object.fromEntries(entries) };
  if (policy.windowMs <= policy.deadlineMs) throw new RangeError(`${text}: the window is not longer than the deadline`);
  if (policy.firstWaitMs > policy.maxWaitMs)
    throw new RangeError(`${text}: the first wait is longer than the longest; give a longer max-wait as well`);
  return Object.fromEntries(entries);
}

function readEntry(part: string): readonly [key: string, value: number] {
  const [name = '', value = ''] = part.split('=');
  if (isKey(DURATIONS, name)) return [DURATIONS[name], durationIn(part, value)];
  if (isKey(COUNTS, name)) return [COUNTS[name], countIn(part, value)];
  const known = [...Object.keys(DURATIONS), ...Object.keys(COUNTS)];
  const guess = nearest(name, known);
  throw new RangeError(
    `${JSON.stringify(name)} is no figure of a policy; ${guess === undefined ? `there are ${known.join(', ')}` : `did you mean ${guess}?`}`,
  );
}

function durationIn(part: string, value: string): number {
  try {
    return milliseconds(normalDuration(value));
  } catch (error) {
    throw new RangeError(`${part}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}

function countIn(part: string, value: string): number {
  if (/^[1-9]\d{0,8}$/.test(value)) return Number(value);
  throw new RangeError(`${part}: write a whole number of 1 or more`);
}

function isKey<T extends object>(known: T, name: string): name is Extract<keyof T, string> {
  return Object.hasOwn(known, name);
}
