import type { Event } from '../../server/model/message.ts';

export interface Arrival {
  readonly at: number;
  readonly destination: string;
  /** The other destinations of its source that it is routed to (HOOK-19). */
  readonly also?: readonly string[];
  readonly messageId: string;
  /** What it is; default a plain track call. */
  readonly event?: Partial<Event>;
}

/** Every destination that it is routed to. */
export function routesOf({ destination, also = [] }: Pick<Arrival, 'destination' | 'also'>): readonly string[] {
  return [destination, ...also];
}

/** Whose event it is. */
export function userOf({ event }: Arrival): string {
  return event?.userId ?? 'u1';
}
