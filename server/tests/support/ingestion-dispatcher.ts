import type { Claim } from '../../model/delivery.ts';
import type { Admission, Dispatcher } from '../../events/accept.ts';

/** Takes deliveries and keeps them. */
export class RecordingDispatcher implements Dispatcher {
  readonly claims: Claim[] = [];
  readonly woken: string[] = [];
  /** Destinations without room. */
  readonly full = new Set<string>();

  /** Places that were kept and not given back. */
  kept = 0;

  admit(): Admission {
    let places = 0;
    return {
      reserve: (destination) => {
        const hasRoom = !this.full.has(destination);
        if (hasRoom) places += 1;
        if (hasRoom) this.kept += 1;
        return { hasPlace: hasRoom, isInOrder: false };
      },
      end: (claims, waiting) => {
        this.kept -= places;
        this.claims.push(...claims);
        this.woken.push(...waiting);
      },
    };
  }
}
