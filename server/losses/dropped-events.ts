import type { components } from '../../generated/config-api.d.ts';
import { bytesOfTexts, createBounded, createLastItems, ITEM_BYTES } from './bounded.ts';

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
  /** Of one list with each step. */
  removeLast(isOf: (source: string) => boolean, isGone: (drop: Drop) => boolean): Iterable<void>;
  /** All of these sources. */
  forget(isOf: (source: string) => boolean): void;
}

export type LossKind = 'dropped' | 'blocked' | 'adjusted';

export function kindOfLoss(reason: LossReason): LossKind {
  if (BLOCK_REASONS.some((one) => one === reason)) return 'blocked';
  return ADJUST_REASONS.some((one) => one === reason) ? 'adjusted' : 'dropped';
}

/** How many events of each kind can be read, of each source. */
export const KEPT_DROPS = 100;

/** What the lists of all sources take together at most. */
const LIST_BYTES = 16_000_000;
/** What their counts take: beyond, those that lost nothing for longest lose theirs. */
const COUNT_BYTES = 16_000_000;

export const LOSS_KINDS = ['dropped', 'blocked', 'adjusted'] as const satisfies LossKind[];

/** In memory: what was dropped tells an integrator what to mend now, and is gone with the process. */
export function createDroppedEvents(listBytes = LIST_BYTES, countBytes = COUNT_BYTES): DroppedEvents {
  // Reasons are few; sources are not, as they are made and deleted.
  const countsBySource = createBounded<Map<LossReason, number>>(countBytes);
  // A list for each kind: many events of one do not push out the few of another.
  const lists = createLastItems<Drop>({ items: KEPT_DROPS, bytes: listBytes, textsOf });
  return {
    add(source, counts, last) {
      const kept = countsBySource.get(source) ?? new Map<LossReason, number>();
      for (const [reason, count] of counts) kept.set(reason, (kept.get(reason) ?? 0) + count);
      countsBySource.put(source, kept, ITEM_BYTES * (1 + kept.size) + bytesOfTexts([source]));
      for (const kind of LOSS_KINDS) {
        const items = last.filter(({ reason }) => kindOfLoss(reason) === kind);
        if (items.length > 0) lists.add(`${source} ${kind}`, items);
      }
    },
    of: (source) => new Map(countsBySource.get(source)),
    lastOf: (source) => LOSS_KINDS.flatMap((kind) => lists.of(`${source} ${kind}`)),
    removeLast: (isOf, isGone) => lists.remove((list) => isOf(sourceOf(list)), isGone),
    forget(isOf) {
      countsBySource.remove(isOf);
      lists.forget((list) => isOf(sourceOf(list)));
    },
  };
}

function sourceOf(list: string): string {
  return list.slice(0, list.lastIndexOf(' '));
}

function textsOf({ type, messageId, event }: Drop): (string | undefined)[] {
  return [type, messageId, event];
}
