import { type Claim, deliveryId, type Fence } from '../model/delivery.ts';
import type { Event } from '../model/message.ts';

/** A delivery that was taken, as engines store it. Its event and its closed webhooks are JSON, which they wrote themselves. */
export interface StoredClaim {
  readonly delivery: number;
  readonly source: string;
  readonly receivedAt: number;
  readonly event: string;
  readonly round: number;
  readonly tries: number;
  readonly earlierRounds: number;
  readonly closed: string;
  readonly line: number | null;
}

/** Who has taken it, and for which destination. */
export type Holding = Pick<Fence, 'node' | 'epoch'> & Pick<Claim, 'destination'>;

export function claimFrom(stored: StoredClaim, { destination, node, epoch }: Holding): Claim {
  const { delivery, source, receivedAt, event: text, round, tries, earlierRounds, line } = stored;
  const event: Event = JSON.parse(text);
  const closed: string[] = stored.closed === '[]' ? [] : JSON.parse(stored.closed);
  const fence = { delivery: deliveryId(String(delivery)), node, epoch, round };
  const earlier = earlierRounds === 0 ? {} : { earlierRounds };
  const inLine = line === null ? {} : { line };
  const message = { source, receivedAt, event };
  return { ...fence, destination, message, bytes: text.length, tries, ...earlier, closed, ...inLine };
}
