import type { Acceptance, Backlog, Claimed, ClaimRequest, RoundRecord } from '../../ports/delivery-store.ts';

/** An acceptance as it crosses to the thread: the event is already JSON. */
export interface AcceptanceRow {
  readonly source: string;
  readonly messageId: string;
  readonly receivedAt: number;
  readonly event: string;
  readonly routes: Acceptance['routes'];
}

/** A claim as it comes back from the thread. */
export interface ClaimRow {
  readonly delivery: number;
  readonly source: string;
  readonly receivedAt: number;
  readonly event: string;
  readonly round: number;
  readonly closed: string;
}

/** What the thread can be asked to do, and what it answers. */
export interface Operations {
  /** The ids of the deliveries of each acceptance, in the order of its routes; null for a duplicate. */
  accept(rows: readonly AcceptanceRow[]): readonly (readonly number[] | null)[];
  claim(request: ClaimRequest): Omit<Claimed, 'claims'> & { readonly rows: readonly ClaimRow[] };
  record(rounds: readonly RoundRecord[]): void;
  release(deliveries: readonly number[]): void;
  recover(now: number): number;
  backlog(): readonly Backlog[];
  /** Told when the transaction of a group was rolled back. */
  rolledBack(): void;
}

export type OperationName = Exclude<keyof Operations, 'rolledBack'>;

export interface Call {
  readonly name: OperationName;
  readonly argument: unknown;
}

/** To the thread: calls that are to share one commit. */
export interface Group {
  readonly calls: readonly Call[];
}

/** From the thread: the result of each call of the group, or why nothing of it was stored. */
export type GroupResult = { readonly results: readonly unknown[] } | { readonly error: string };

/** From the thread, once: the file is open, or why it cannot be. */
export type Opened = { readonly opened: true } | { readonly opened: false; readonly error: string };
