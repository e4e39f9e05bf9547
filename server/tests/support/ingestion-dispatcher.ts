import type { Claim } from '../../ports/delivery-store.ts';
import type { Dispatcher } from '../../routing/intake.ts';

/** Takes deliveries and keeps them. */
export class RecordingDispatcher implements Dispatcher {
  readonly claims: Claim[] = [];
  readonly woken: string[] = [];
  /** Destinations without room. */
  readonly full = new Set<string>();

  hasRoom(destination: string): boolean {
    return !this.full.has(destination);
  }

  deliver(claims: readonly Claim[]): void {
    this.claims.push(...claims);
  }

  wake(destination: string): void {
    this.woken.push(destination);
  }
}
