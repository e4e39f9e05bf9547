import type { DeliveryPolicy } from '../../../server/model/policy.ts';
import { FlagError, given, readValues, refuseStray, textOf } from '../flag-values.ts';
import type { FlagKind, Values } from '../flag-values.ts';
import { outageNamed } from '../../outages/outages.ts';
import { readPolicy } from './policy-flag.ts';

export const SIMULATE_FLAGS = {
  seeds: 'text',
  from: 'text',
  outage: 'text',
  hours: 'text',
  destinations: 'text',
  webhooks: 'text',
  events: 'text',
  seed: 'text',
  policy: 'text',
  against: 'text',
  report: 'text',
  json: 'switch',
  list: 'switch',
  help: 'switch',
} as const satisfies Record<string, FlagKind>;
type Flag = keyof typeof SIMULATE_FLAGS;

/** What only the one mode knows. */
const OF_HUNT: readonly Flag[] = ['seeds', 'from'];
const OF_OUTAGE: readonly Flag[] = [
  'hours',
  'destinations',
  'webhooks',
  'events',
  'seed',
  'policy',
  'against',
  'report',
  'json',
];

export interface HuntOptions {
  readonly mode: 'hunt';
  readonly seeds: number;
  readonly from: number;
}

export interface OutageOptions {
  readonly mode: 'outage';
  readonly outage: string;
  readonly hours: number;
  readonly destinations: number;
  readonly webhooks: number;
  /** Of each destination; undefined: as many as show the outage. */
  readonly events?: number;
  readonly seed: number;
  readonly policy?: Partial<DeliveryPolicy>;
  readonly against?: Partial<DeliveryPolicy>;
  /** What `--policy` and `--against` said. */
  readonly labels: readonly [string, string];
  /** Where the report goes: `.svg` for the picture alone. */
  readonly report?: string;
  readonly json: boolean;
}

export type SimulateOptions = HuntOptions | OutageOptions | { readonly mode: 'list' | 'help' };

/** Throws an error whose message names the flag, the value and the way out. */
export function readOptions(args: readonly string[]): SimulateOptions {
  const { values } = readValues(args, SIMULATE_FLAGS);
  if (values.help !== undefined) return { mode: 'help' };
  if (values.list !== undefined) return { mode: 'list' };
  const outage = textOf(values.outage);
  if (outage === undefined) {
    refuseStray(values, OF_OUTAGE, 'belongs to an outage; add --outage <name>, or leave it out');
    const from = whole('from', textOf(values.from) ?? '1', 0, Number.MAX_SAFE_INTEGER);
    return { mode: 'hunt', seeds: whole('seeds', textOf(values.seeds) ?? '1000', 1, 10_000_000), from };
  }
  refuseStray(values, OF_HUNT, 'belongs to worlds of mixed faults; leave it out, or leave --outage out');
  return outageOptions(outage, values);
}

function outageOptions(outage: string, values: Values<Flag>): OutageOptions {
  const text = (flag: Flag): string | undefined => textOf(values[flag]);
  const [events, policy, against, report] = [text('events'), text('policy'), text('against'), text('report')];
  return {
    mode: 'outage',
    outage: outageNamed(outage).name,
    hours: hoursOf(text('hours') ?? '4'),
    destinations: whole('destinations', text('destinations') ?? '1', 1, 10_000),
    webhooks: whole('webhooks', text('webhooks') ?? '1', 1, 5),
    ...given('events', events === undefined ? undefined : whole('events', events, 1, 100_000)),
    seed: whole('seed', text('seed') ?? '1', 0, 4_294_967_295),
    ...given('policy', policy === undefined ? undefined : readPolicy(policy)),
    ...given('against', against === undefined ? undefined : readPolicy(against)),
    labels: [policy ?? 'policy in production', against ?? ''],
    ...given('report', report === undefined ? undefined : reportFile(report)),
    json: values.json !== undefined,
  };
}

function reportFile(file: string): string {
  if (/\.(?:html|svg)$/.test(file)) return file;
  throw new FlagError(`--report must be a file name that ends in .html or .svg, got ${file}`);
}

function whole(flag: string, text: string, least: number, most: number): number {
  if (/^\d{1,16}$/.test(text) && Number(text) >= least && Number(text) <= most) return Number(text);
  throw new FlagError(`--${flag} must be an integer from ${least} to ${most}, got ${text}`);
}

function hoursOf(text: string): number {
  const hours = Number(text);
  if (/^\d+(\.\d+)?$/.test(text) && hours > 0 && hours <= 1_000) return hours;
  throw new FlagError(`--hours must be above 0 and at most 1000, got ${text}`);
}
