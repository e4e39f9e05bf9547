import type { components } from '../../generated/config-api.d.ts';

/** Why an event is not kept: the closed public vocabulary (D-42), as the document lists it. */
export type DropReason = components['schemas']['DropReason'];

/** Why an event that is right in itself is not wanted; as closed. */
export type BlockReason = components['schemas']['BlockReason'];

/** Why an event is not kept as it was sent. */
export type AdjustReason = components['schemas']['AdjustReason'];

export type LossReason = DropReason | BlockReason | AdjustReason;

export const ADJUST_REASONS = ['timestamp_unreadable', 'sent_at_unreadable'] as const satisfies readonly AdjustReason[];

/** The reasons of events that are blocked; all others are of events that are dropped. */
export const BLOCK_REASONS = [
  'suppressed',
  'unplanned',
  'schema_violation',
  'common_schema_violation',
  'undeliverable',
] as const satisfies readonly BlockReason[];

export type DropCounts = ReadonlyMap<LossReason, number>;

/** A dropped, blocked or adjusted event, with what an integrator needs to find it at the sender; never its content. */
export interface Drop {
  readonly reason: LossReason;
  /** ISO 8601 in UTC. */
  readonly receivedAt: string;
  /** As sent, as far as they were text, and cut to a bounded length. */
  readonly type?: string;
  readonly messageId?: string;
  readonly event?: string;
}

/** The events that ingestion dropped, blocked or adjusted, by source (D-42). `source` is a full resource name. */
export interface DroppedEvents {
  /** Adds the drops of one request: all counts, and the last of the drops. */
  add(source: string, counts: DropCounts, last: readonly Drop[]): void;
  /** Since this process began. */
  of(source: string): DropCounts;
  /** The last ones of each kind, newest first; no more than are kept. */
  lastOf(source: string): readonly Drop[];
}

export type LossKind = 'dropped' | 'blocked' | 'adjusted';

export function kindOfLoss(reason: LossReason): LossKind {
  if (BLOCK_REASONS.some((one) => one === reason)) return 'blocked';
  return ADJUST_REASONS.some((one) => one === reason) ? 'adjusted' : 'dropped';
}
