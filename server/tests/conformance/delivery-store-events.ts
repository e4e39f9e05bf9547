import type { Acceptance, Claim, Postponement, RoundRecord } from '../../model/delivery.ts';
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

export function recordOf({ delivery, destination, round }: Claim, verdict: RoundRecord['verdict']): RoundRecord {
  return { delivery, destination, round, attempts: [], verdict, endedAt: NOW, ageMs: 0 };
}
