import { parseArgs } from 'node:util';
import type { DeliveryPolicy } from '../../server/delivery/policy.ts';
import { outageNamed } from '../../testbed/outages/outages.ts';
import { readPolicy } from './policy-flag.ts';

const FLAGS = {
  seeds: { type: 'string' },
  from: { type: 'string' },
  outage: { type: 'string' },
  hours: { type: 'string' },
  destinations: { type: 'string' },
  webhooks: { type: 'string' },
  events: { type: 'string' },
  seed: { type: 'string' },
  policy: { type: 'string' },
  against: { type: 'string' },
  report: { type: 'string' },
  json: { type: 'boolean' },
  list: { type: 'boolean' },
  help: { type: 'boolean' },
} as const;

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

/** Throws an error whose message names the flag and the value. */
export function readOptions(args: readonly string[]): SimulateOptions {
  const { values } = parseArgs({ args: [...args], options: FLAGS });
  if (values.help === true) return { mode: 'help' };
  if (values.list === true) return { mode: 'list' };
  if (values.outage === undefined) {
    const from = whole('from', values.from ?? '1', 0, Number.MAX_SAFE_INTEGER);
    return { mode: 'hunt', seeds: whole('seeds', values.seeds ?? '1000', 1, 10_000_000), from };
  }
  const { policy, against, report } = values;
  return {
    mode: 'outage',
    outage: outageNamed(values.outage).name,
    hours: hoursOf(values.hours ?? '4'),
    destinations: whole('destinations', values.destinations ?? '1', 1, 10_000),
    webhooks: whole('webhooks', values.webhooks ?? '1', 1, 5),
    ...(values.events === undefined ? {} : { events: whole('events', values.events, 1, 100_000) }),
    seed: whole('seed', values.seed ?? '1', 0, 4_294_967_295),
    ...(policy === undefined ? {} : { policy: readPolicy(policy) }),
    ...(against === undefined ? {} : { against: readPolicy(against) }),
    labels: [policy ?? 'policy in production', against ?? ''],
    ...(report === undefined ? {} : { report }),
    json: values.json === true,
  };
}

function whole(flag: string, text: string, least: number, most: number): number {
  if (/^\d{1,16}$/.test(text) && Number(text) >= least && Number(text) <= most) return Number(text);
  throw new RangeError(`--${flag} ${text} cannot be; give a whole number from ${least} to ${most}`);
}

function hoursOf(text: string): number {
  const hours = Number(text);
  if (/^\d+(\.\d+)?$/.test(text) && hours > 0 && hours <= 1_000) return hours;
  throw new RangeError(`--hours ${text} cannot be; give more than 0, at most 1000`);
}
