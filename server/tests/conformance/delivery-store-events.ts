import { allWaiting } from '../../delivery/waiting-queues.ts';
import type { CountedBacklog, DeliveryStorage, Unfinished } from '../../storage/delivery-storage.ts';
import { batchOf, fenceOf } from '../support/memory-storage.ts';
import type { Acceptance, Claim, Postponement, RoundRecord, Verdict } from '../../model/delivery.ts';
import type { Verbs } from '../../storage/verbs.ts';
import { messageOf } from '../support/engine.ts';

export const NOW = Date.UTC(2026, 0, 1);
export const A = 'workspaces/main/sources/js/destinations/webhooks';
export const B = 'workspaces/main/sources/ios/destinations/webhooks';

/** The answer to a claim when nothing waits. */
export const NOTHING = { claims: [], nextDueAt: undefined, oldestReceivedAt: undefined };

export function message(messageId: string, offset = 0): ReturnType<typeof messageOf> {
  return messageOf({ now: () => NOW + offset }, { messageId });
}

export function accepted(messageId: string, claimed: boolean, offset = 0): Acceptance {
  return { message: message(messageId, offset), routes: [{ destination: A, claimed }] };
}

export function ids(claims: readonly Claim[]): string[] {
  return claims.map((claim) => claim.message.event.messageId);
}

export function firstOf(claims: readonly Claim[] | 'duplicate' | undefined): Claim {
  const first = claims === 'duplicate' ? undefined : claims?.[0];
  if (first === undefined) throw new Error('the acceptance gave no claim');
  return first;
}

/** A verdict that sets a due time, chosen at the beginning. */
export function postponed(dueAt: number, closed: readonly string[] = [], tries = 1): Postponement {
  return { state: 'pending', dueAt, setAt: NOW, closed, tries };
}

export function recordOf(claim: Claim, verdict: RoundRecord['verdict']): RoundRecord {
  return { ...fenceOf(claim), destination: claim.destination, attempts: [], verdict, endedAt: NOW, ageMs: 0 };
}

/** Everything that waits, of a storage that has little. */
export async function queues(store: DeliveryStorage): Promise<readonly CountedBacklog[]> {
  const destinations = (await store.backlog({ limit: 1_000 })).queues.map(({ destination }) => destination);
  return (await store.countBacklog({ destinations, limit: 1_000 })).queues;
}

/** What has not ended, by state. */
export async function unfinished(
  store: DeliveryStorage,
): Promise<readonly (Unfinished & { readonly state: string })[]> {
  return [
    { state: 'pending', ...(await allWaiting(store)) },
    { state: 'trying', ...(await store.trying()) },
  ];
}

/** What is stored for A, and ended as told; `trying` leaves it claimed. */
export async function ended(store: Verbs, messageId: string, state: Ended | 'trying', offset = 0): Promise<Claim> {
  const [claims] = await store.accept(batchOf([accepted(messageId, true, offset)]));
  const claim = firstOf(claims);
  if (state !== 'trying') await store.record([recordOf(claim, { state })]);
  return claim;
}

export type Ended = Exclude<Verdict['state'], 'pending'>;

/** All pages of something. */
export async function allPages<Row>(
  ask: (after: string | undefined) => Promise<{ readonly rows: readonly Row[]; readonly next: string | undefined }>,
): Promise<Row[]> {
  const all: Row[] = [];
  let after: string | undefined;
  do {
    const { rows, next } = await ask(after);
    all.push(...rows);
    after = next;
  } while (after !== undefined);
  return all;
}
