import { isWebhooks } from '../destinations/kind.ts';
import { parentOf } from '../model/resource-names.ts';
import type { Audience, Destination, Source } from '../model/resources.ts';
import type { DestinationRows } from './destination-rows.ts';

/** A workspace that hears notices (D-82). Of what hears them itself nothing is told. */
export interface Noticed {
  /** The sources that send them; each has a webhook. */
  readonly to: readonly Source[];
  /** A webhooks destination of another source. */
  destination(name: string): Destination | undefined;
  /** Full names of all of these … */
  destinations(): readonly string[];
  /** … and of those whose health is kept, or whose secret is replaced by another. */
  attended(): readonly string[];
  readonly audiences: readonly Audience[];
}

/** `ofNotices`: full names of the sources that send notices, whether anybody hears them or not. */
export function noticedTo(
  to: readonly Source[],
  ofNotices: ReadonlySet<string>,
  rows: Pick<DestinationRows, 'get' | 'webhooks' | 'attended'>,
  audiences: readonly Audience[],
): Noticed | undefined {
  if (to.length === 0) return undefined;
  const isOther = (name: string): boolean => !ofNotices.has(parentOf(name));
  return {
    to,
    destination: (name) => {
      const found = isOther(name) ? rows.get(name) : undefined;
      return found !== undefined && isWebhooks(found) ? found : undefined;
    },
    destinations: () => rows.webhooks().filter(isOther),
    attended: () => rows.attended().filter(isOther),
    audiences,
  };
}
