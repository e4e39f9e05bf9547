import type { Claim } from '../../model/delivery.ts';
import type { Dispatcher } from '../../events/accept.ts';

/** Takes deliveries and keeps them. */
export class RecordingDispatcher implements Dispatcher {
  readonly claims: Claim[] = [];
  readonly woken: string[] = [];
  /** Destinations without room. */
  readonly full = new Set<string>();

  /** Places that were kept and not given back. */
  kept = 0;

  reserve(destination: string): boolean {
    const hasRoom = !this.full.has(destination);
    if (hasRoom) this.kept += 1;
    return hasRoom;
  }

  unreserve(destinations: readonly string[]): void {
    this.kept -= destinations.length;
  }

  deliver(claims: readonly Claim[]): void {
    this.claims.push(...claims);
  }

  wake(destination: string): void {
    this.woken.push(destination);
  }
}
