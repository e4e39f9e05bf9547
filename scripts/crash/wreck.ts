import { wholeBacklog } from '../../server/delivery/supply.ts';
import type { Acceptance, Claim, DeliveryId } from '../../server/model/delivery.ts';
import type { DeliveryLog, LogPage } from '../../server/storage/delivery-log.ts';
import type { DeliveryStorage } from '../../server/storage/delivery-storage.ts';
import type { Members } from '../../server/storage/members.ts';

/** What a router that was killed, or stopped, left in its storage. */
export interface Wreck {
  /**
   * By delivery and round, the ids of messages of which a delivery was being tried: only these may arrive once more than they
   * had to, once for each round.
   */
  readonly tried: ReadonlyMap<string, string>;
  /** Ids of messages of which a delivery had not ended. */
  readonly unended: readonly string[];
  /** Of the ids asked for, those that the storage does not know. */
  readonly unknown: readonly string[];
  /** Why the storage cannot be opened again, if so. */
  readonly damage: string | undefined;
}

/** Of a copy, in which nobody lives. */
export interface WreckedStorage {
  readonly deliveries: DeliveryStorage;
  readonly log: DeliveryLog;
  readonly members: Members;
}

/** Looks through the port at a copy, which it changes. */
export async function examine(
  { deliveries, log, members }: WreckedStorage,
  source: string,
  ids: readonly string[],
): Promise<Omit<Wreck, 'damage'>> {
  const pending = await listPending(deliveries, log);
  await members.join({ now: 0 });
  await members.reap({ now: 0 });
  const unended = await claimEverything(deliveries);
  const tried = [...unended.values()].filter(({ delivery }) => !pending.has(delivery));
  return {
    tried: new Map(tried.map((claim) => [`${claim.delivery} ${claim.round}`, idOf(claim)])),
    unended: [...unended.values()].map(idOf),
    unknown: await unknownOf(ids, source, deliveries),
  };
}

/** A run asks for all that was ever answered: hundreds of thousands of ids in the end. */
async function unknownOf(
  ids: readonly string[],
  source: string,
  deliveries: Pick<DeliveryStorage, 'accept'>,
): Promise<readonly string[]> {
  const unknown: string[] = [];
  for (let from = 0; from < ids.length; from += PAGE) {
    const asked = ids.slice(from, from + PAGE);
    const acceptances = asked.map((id) => nowhere(source, id));
    // Of a workspace whose configuration never changes.
    const by = { key: `wreck ${from}`, workspace: 'workspaces/none', version: 0 };
    const answers = await deliveries.accept({ ...by, acceptances });
    unknown.push(...asked.filter((_, index) => answers[index] !== 'duplicate'));
  }
  return unknown;
}

/** Hundreds of thousands of rows at once would take longer than a database lets a statement run. */
const PAGE = 1_000;

/** Where a storage cannot be opened, or cannot answer. */
export function damaged(error: unknown): Wreck {
  return { tried: new Map(), unended: [], unknown: [], damage: String(error) };
}

function idOf({ message }: Claim): string {
  return message.event.messageId;
}

async function listPending(deliveries: DeliveryStorage, log: DeliveryLog): Promise<Set<DeliveryId>> {
  const found = new Set<DeliveryId>();
  for (const { destination } of await wholeBacklog(deliveries)) {
    let page: LogPage = { deliveries: [], next: '' };
    for (let before: string | undefined = ''; before !== undefined; before = page.next) {
      const start = before === '' ? {} : { before };
      page = await log.list({ destination, filter: { states: ['pending'] }, ...start, limit: PAGE });
      for (const { delivery } of page.deliveries) found.add(delivery);
    }
  }
  return found;
}

/** Takes all that is pending. */
export async function claimEverything(store: DeliveryStorage): Promise<Map<DeliveryId, Claim>> {
  const found = new Map<DeliveryId, Claim>();
  for (const { destination } of await wholeBacklog(store)) {
    for (;;) {
      const { claims } = await store.claim({
        which: 'received',
        upTo: Number.MAX_SAFE_INTEGER,
        destination,
        limit: PAGE,
      });
      for (const claim of claims) found.set(claim.delivery, claim);
      if (claims.length === 0) break;
    }
  }
  return found;
}

/** To ask whether an id is known: who sends it again is told. */
function nowhere(source: string, messageId: string): Acceptance {
  const time = new Date(0).toISOString();
  const event = { type: 'track', messageId, context: {}, timestamp: time, receivedAt: time } as const;
  return { message: { source, receivedAt: 0, event }, routes: [] };
}
