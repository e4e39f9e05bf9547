import { workspaceOf } from '../model/resource-names.ts';

/** What an accept caught for the profiles of a workspace. */
export interface Caught {
  /** Greater than that of whatever was caught before. Never given twice. */
  readonly id: number;
  /** Full name of the source. */
  readonly source: string;
  /** JSON: of the event what is counted, or no more than its ids and times (`CaughtEvent`). */
  readonly caught: string;
}

/**
 * What was caught and is not folded yet, for profiles that are kept apart from messages: `fold` reads it, keeps the last id in
 * the transaction by which it adds to the profiles, and then clears it up to there.
 */
export interface Inbox {
  /** The oldest behind this id, in their order: of all, or of sources of one workspace up to an id. */
  readInbox(query: {
    readonly after: number;
    readonly limit: number;
    readonly of?: { readonly workspace: string; readonly upTo: number } | undefined;
  }): Promise<readonly Caught[]>;
  /** Those of one workspace are looked for behind an id: what waits of others is not passed again and again. */
  clearInbox(request: {
    readonly upTo: number;
    readonly of?: { readonly workspace: string; readonly after: number } | undefined;
  }): Promise<void>;
  /** Id of the last that is in it; 0 where it is empty. */
  lastCaught(): Promise<number>;
  /**
   * Asked when profiles are opened: ids of what is caught from now on are greater than this one. Where the inbox is older than
   * the profiles (restored from a backup), what it gives ids to would seem to be folded already.
   */
  continueInbox(request: { readonly after: number }): Promise<void>;
}

/** As `readInbox`, of what is in memory. */
export function caughtBehind(
  all: readonly Caught[],
  { after, limit, of }: Parameters<Inbox['readInbox']>[0],
): readonly Caught[] {
  const isOf = ({ id, source }: Caught): boolean =>
    id > after && (of === undefined || (id <= of.upTo && workspaceOf(source) === of.workspace));
  return all.filter(isOf).slice(0, limit);
}

/** As `clearInbox`. */
export function isCleared({ id, source }: Caught, { upTo, of }: Parameters<Inbox['clearInbox']>[0]): boolean {
  return id <= upTo && (of === undefined || (id > of.after && workspaceOf(source) === of.workspace));
}
