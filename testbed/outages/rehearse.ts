import { DEFAULT_POLICY, type DeliveryPolicy } from '../../server/model/policy.ts';
import type { Target } from '../../server/delivery/target.ts';
import { milliseconds } from '../fault-script/units.ts';
import { simulate, START, type Simulation } from '../simulation/simulate.ts';
import type { Endpoint } from '../simulation/simulated-transport.ts';
import { refuseUndefined, refuseUnknown } from '../receiver/known-names.ts';
import type { Arrival } from '../simulation/arrival.ts';
import type { World } from '../simulation/world.ts';
import type { Outage } from './outage.ts';
import { outageEndpoint, spanOf } from './outage-endpoint.ts';
import type { OutageSpan } from './outage-endpoint.ts';
import { outageNamed } from './outages.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** The share of a run in which events arrive: the last of them have time to end. */
const ARRIVING = 0.9;

export interface RehearsalOptions {
  /** A name of the library, or an outage of one's own. */
  readonly outage: string | Outage;
  /** Destinations that the outage befalls; default 1. */
  readonly destinations?: number;
  /** Webhooks of each destination, all of which it befalls; default 1. */
  readonly webhooks?: number;
  /** Events for each destination, evenly over nine tenths of the time; default so many that each phase meets some. */
  readonly events?: number;
  /** How long time runs; default 4. */
  readonly hours?: number;
  /** How far into the run the outage begins, in milliseconds; default 10 minutes. */
  readonly startsAfterMs?: number;
  readonly seed?: number;
  readonly policy?: Partial<DeliveryPolicy>;
}

const OF_REHEARSAL = [
  'outage',
  'destinations',
  'webhooks',
  'events',
  'hours',
  'startsAfterMs',
  'seed',
  'policy',
] as const satisfies readonly (keyof RehearsalOptions)[];

export interface Rehearsal {
  readonly outage: Outage;
  readonly span: OutageSpan;
  readonly endsAt: number;
  readonly seed: number;
  readonly simulation: Simulation;
}

/** Runs the production delivery engine through an outage, in virtual time: four hours in milliseconds. */
export async function rehearse(options: RehearsalOptions): Promise<Rehearsal> {
  refuseUnknown('simulate', options, OF_REHEARSAL);
  refuseUndefined('', options, ['policy']);
  refuseUnknown('The policy', options.policy ?? {}, Object.keys(DEFAULT_POLICY));
  refuseUndefined(' of the policy', options.policy ?? {}, Object.keys(DEFAULT_POLICY));
  const { hours = 4, startsAfterMs = 10 * MINUTE, seed = 1, policy } = options;
  if (!(hours > 0 && hours <= 1_000)) throw new RangeError(`hours is ${hours}; give more than 0, at most 1000`);
  const outage = outageOf(options);
  const durationMs = hours * HOUR;
  const world = worldOf(outage, { ...options, seed, startsAfterMs, durationMs });
  const simulation = await simulate(world, { seed, durationMs, ...(policy === undefined ? {} : { policy }) });
  return { outage, span: spanOf(outage, START + startsAfterMs), endsAt: START + durationMs, seed, simulation };
}

function outageOf({ outage }: RehearsalOptions): Outage {
  if (outage === undefined)
    throw new TypeError('The option outage is undefined; give a name, such as brown-out, or an outage of your own');
  return typeof outage === 'string' ? outageNamed(outage) : outage;
}

const FEWEST = 120;
const MOST = 3_000;
/** Of them, the shortest phase of an outage is to meet so many: one that meets none shows nothing. */
const MET = 6;

function enoughFor({ phases }: Outage, durationMs: number): number {
  const shortest = Math.min(...phases.map(({ lasts }) => milliseconds(lasts)));
  return Math.min(MOST, Math.max(FEWEST, Math.ceil((MET * ARRIVING * durationMs) / shortest)));
}

interface Plan extends RehearsalOptions {
  readonly seed: number;
  readonly startsAfterMs: number;
  readonly durationMs: number;
}

function worldOf(outage: Outage, { destinations = 1, webhooks = 1, ...plan }: Plan): World {
  const { events = enoughFor(outage, plan.durationMs) } = plan;
  const targets = new Map<string, Target>();
  const endpoints = new Map<string, Endpoint>();
  const arrivals: Arrival[] = [];
  for (let number = 1; number <= destinations; number += 1) {
    const destination = `workspaces/main/sources/s${number}/destinations/webhooks`;
    const urls = Array.from({ length: webhooks }, (_, index) => `https://hooks${number}.test/${index + 1}`);
    for (const url of urls) {
      endpoints.set(url, outageEndpoint(outage, START + plan.startsAfterMs, plan.seed + endpoints.size));
    }
    targets.set(destination, { webhooks: urls.map((url) => ({ url, headers: {} })), sharedSecret: 's3cret' });
    for (let event = 0; event < events; event += 1) {
      const at = Math.floor((event * ARRIVING * plan.durationMs) / events);
      arrivals.push({ at, destination, messageId: `m${number}-${event + 1}` });
    }
  }
  return { targets, endpoints, characters: new Map(), arrivals: arrivals.toSorted((a, b) => a.at - b.at) };
}
