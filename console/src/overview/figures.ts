import type { Overview } from '@waybill/client/config';

export type { Overview };
export type DestinationFigures = Overview['destinations'][number];

interface Total {
  readonly accepted: number;
  readonly delivered: number;
  readonly failed: number;
}

/** Of the last 24 hours. */
export function totalOf({ hours }: Overview): Total {
  const sum = (of: keyof Total): number => hours.reduce((total, hour) => total + hour[of], 0);
  return { accepted: sum('accepted'), delivered: sum('delivered'), failed: sum('failed') };
}

/** Deliveries that did not get through. */
export function lostOf({ failures, expirations }: DestinationFigures): number {
  return failures + expirations;
}
