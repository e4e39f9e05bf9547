import { isOfNotices, isWebhooks } from '../destinations/kind.ts';
import type { Audience, Destination, Source } from '../model/resources.ts';

/** A workspace that hears notices (D-82). */
export interface Noticed {
  /** The sources that send them; each has a webhook. */
  readonly to: readonly Source[];
  /** Webhooks destinations of all other sources. */
  readonly destinations: ReadonlyMap<string, Destination>;
  readonly audiences: readonly Audience[];
}

export interface Surroundings {
  /** Whether anything is delivered from a source. */
  readonly isHeard: (source: string) => boolean;
  readonly destinations: (source: string) => readonly Destination[];
  readonly audiences: () => readonly Audience[];
}

/** Of what hears notices itself there are none. */
export function noticedAmong(stored: readonly Source[], around: Surroundings): Noticed | undefined {
  const to = stored.filter((one) => isOfNotices(one) && around.isHeard(one.name));
  if (to.length === 0) return undefined;
  const others = stored.filter((one) => !isOfNotices(one));
  const destinations = others.flatMap(({ name }) => around.destinations(name)).filter(isWebhooks);
  return { to, destinations: new Map(destinations.map((one) => [one.name, one])), audiences: around.audiences() };
}
