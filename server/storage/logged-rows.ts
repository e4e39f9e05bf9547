import { deliveryId } from '../model/delivery.ts';
import type { LoggedAttempt, LoggedDelivery } from '../model/logged-delivery.ts';
import type { Phases } from '../ports/transport.ts';

/** A delivery as engines select it. Of its two times the one that its state has no use for is meaningless. */
export type DeliveryRow = Omit<LoggedDelivery, 'delivery'> & {
  readonly delivery: number;
  readonly dueAt: number;
  readonly endedAt: number;
};

/** An attempt as engines select it. */
export type AttemptRow = Omit<LoggedAttempt, 'status' | 'nextDueAt' | 'phases'> & {
  readonly status: number | null;
  readonly nextDueAt: number | null;
} & { readonly [Part in keyof Phases]-?: number | null };

export function deliveryOf({ dueAt, endedAt, delivery, ...rest }: DeliveryRow): LoggedDelivery {
  const row = { delivery: deliveryId(String(delivery)), ...rest };
  if (row.state === 'pending') return { ...row, dueAt };
  return row.state === 'trying' ? row : { ...row, endedAt };
}

export function attemptOf({ status, nextDueAt, connectMs, sendMs, waitMs, readMs, ...row }: AttemptRow): LoggedAttempt {
  const phases = given({ connectMs, sendMs, waitMs, readMs });
  return { ...row, ...given({ status, nextDueAt }), ...(Object.keys(phases).length === 0 ? {} : { phases }) };
}

/** What is null is absent. */
function given<Field extends string>(
  values: Readonly<Record<Field, number | null>>,
): { readonly [F in Field]?: number } {
  const entries = Object.entries<number | null>(values).filter(([, value]) => value !== null);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the nulls are gone, and the fields are the same
  return Object.fromEntries(entries) as { readonly [F in Field]?: number };
}

/** A place in the order of the log: that of acceptance. */
export interface Position {
  readonly receivedAt: number;
  readonly delivery: number;
}

/** As it stands in the `next` of a page. */
export function textOf({ receivedAt, delivery }: Position): string {
  return `${receivedAt}.${delivery}`;
}

/** A page token can be made up: of what is no place, nothing is behind it. */
export function positionIn(text: string): Position {
  const [, receivedAt = 0, delivery = 0] = /^(\d{1,15})\.(\d{1,16})$/.exec(text)?.map(Number) ?? [];
  return { receivedAt, delivery };
}
