import type { Claimed, ClaimRequest, Refused } from '../../delivery-storage.ts';
import type { Operations, Verb } from '../../verbs.ts';
import type { FlatAccept, FlatClaims } from './flat-rows.ts';
import type { SyncsInParts } from './syncs.ts';

/** What was stored of an accept, in the life of this number. */
export interface StoredAccept {
  readonly epoch: number;
  /** The ids of the deliveries of each acceptance, in the order of its routes; null for a duplicate. */
  readonly deliveries: readonly (readonly number[] | null)[];
  /** Of these, the ones that others of their line kept from being taken. */
  readonly behind: readonly number[];
}

/** What was taken in the place of deliveries that have ended. */
export interface NextRows extends FlatClaims {
  readonly refused: Refused;
  /** Of each claim. */
  readonly destinations: readonly string[];
}

/** Verbs whose rows cross flat, as text, or in parts. */
interface FlatVerbs extends SyncsInParts {
  accept(rows: FlatAccept): StoredAccept;
  claim(request: ClaimRequest): Omit<Claimed, 'claims'> & FlatClaims;
  /** `roundsText` of them. */
  record(rounds: string): NextRows;
}

/** What the thread can be asked to do: every verb. The others cross as they are. */
export type SqliteOperations = Omit<Operations, keyof FlatVerbs> & FlatVerbs;

/** Which write into the file beside SQLite: they overwrite what is free there. */
export const WIPES: ReadonlySet<string> = new Set<Verb>(['eraseUsers']);

/** What is told of the transaction of a group of calls. */
export interface Witness {
  committing(): void;
  committed(): void;
  rolledBack(): void;
}

export interface Call {
  /** Of an operation. */
  readonly name: string;
  readonly argument: unknown;
}

/** To the thread: calls that share one commit, with those of other groups that wait there, or `alone`. */
export interface Group {
  readonly calls: readonly Call[];
  readonly alone?: true;
}

/** In the place of a result: the call was left out, as it stores what the store does not take now. */
export interface LeftOut {
  readonly notStored: string;
}

/**
 * From the thread, for one commit: the result of each of its calls, or why nothing of them was stored. They are the
 * first of those that have not been answered, in the order in which they were asked.
 */
export type GroupResult = { readonly results: readonly unknown[] } | { readonly error: string; readonly calls: number };

/** From the thread, once: the file is open, or why it cannot be. */
export type Opened = { readonly opened: true } | { readonly opened: false; readonly error: string };
