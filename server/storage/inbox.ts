import { workspaceOf } from '../model/resources.ts';

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
  /** The oldest behind this id, in their order: of all, or of sources of one workspace. */
  readInbox(query: {
    readonly after: number;
    readonly limit: number;
    readonly workspace?: string | undefined;
  }): Promise<readonly Caught[]>;
  clearInbox(request: { readonly upTo: number; readonly workspace?: string | undefined }): Promise<void>;
  /** Id of the last that is in it; 0 where it is empty. */
  lastCaught(): Promise<number>;
  /**
   * Asked when profiles are opened: ids of what is caught from now on are greater than this one. Where the inbox is older than
   * the profiles (restored from a backup), what it gives ids to would seem to be folded already.
   */
  continueInbox(request: { readonly after: number }): Promise<void>;
}

/** Whether it is of this workspace, or of whichever. */
export function isCaughtIn(workspace: string | undefined, { source }: Pick<Caught, 'source'>): boolean {
  return workspace === undefined || workspaceOf(source) === workspace;
}
