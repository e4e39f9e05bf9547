import type { Measure, Space } from '../audiences/measure.ts';
import type { Measured, Plan } from '../audiences/plan.ts';
import type { JsonObject } from '../model/message.ts';
import type { Inbox } from './inbox.ts';

/** A space with all that is counted in it now. */
export interface MeasuredSpace extends Space {
  readonly measures: readonly Measure[];
}

/** The spaces that there are, as they stand once this is asked. */
export type SpacesNow = () => Promise<readonly MeasuredSpace[]>;

export interface FoldRequest {
  /**
   * Of workspaces that are not among them, what was caught is let go. Asked once it is known which events are folded: those that
   * were caught for a measure find it among them, however new it is.
   */
  readonly spaces: SpacesNow;
  /** So many caught events at most. */
  readonly limit: number;
  /** Of this workspace alone, whatever else waits; absent: of all. */
  readonly workspace?: string | undefined;
  /** Up to this one (`lastCaught`); absent: to the end, which moves on meanwhile. */
  readonly upTo?: number | undefined;
}

export interface Folded {
  readonly events: number;
  /** Ids that were refused: of no person (`null`, `0`, …), or too many of one profile. */
  readonly refusedIds: number;
  readonly undecided: readonly UndecidedEvents[];
  /** Whether more of what was asked for may wait. */
  readonly isMore: boolean;
}

/** Of so many events it is not known whether these measures count them: conditions took too long (SAFE-2). They do not. */
export interface UndecidedEvents {
  readonly workspace: string;
  readonly measures: readonly string[];
  readonly events: number;
}

export const NOTHING_FOLDED: Folded = { events: 0, refusedIds: 0, undecided: [], isMore: false };

/** Folds one lot after the other until no more is left; answers what was refused and undecided. */
export async function foldAll(fold: () => Promise<Folded>): Promise<Pick<Folded, 'refusedIds' | 'undecided'>> {
  const undecided: UndecidedEvents[] = [];
  let refusedIds = 0;
  for (;;) {
    const folded = await fold();
    undecided.push(...folded.undecided);
    refusedIds += folded.refusedIds;
    if (!folded.isMore) return { refusedIds, undecided };
  }
}

export interface ComputeRequest {
  readonly space: string;
  /** Full name of an audience or a computed trait. */
  readonly computation: string;
  /** Greater than that of any run of this computation before. One that is asked again changes nothing. */
  readonly run: number;
  readonly of: { readonly members: Plan } | { readonly values: Measured };
}

export interface Computed {
  /** Profiles that were looked at. */
  readonly evaluated: number;
  /** Those that are members, or have a value. */
  readonly size: number;
  readonly entered: number;
  readonly left: number;
}

export interface PreviewRequest {
  readonly space: string;
  readonly members: Plan;
  /** So many users of it. */
  readonly sample: number;
}

export interface Preview {
  readonly evaluated: number;
  readonly size: number;
  /** In order of their ids. */
  readonly sample: readonly string[];
}

export interface ResultsRequest {
  readonly computation: string;
  /** As of this run; absent: of the last. */
  readonly run?: number | undefined;
  /** User ids behind this one, in the order of their UTF-8. */
  readonly after?: string | undefined;
  /** Up to this one, itself among them. */
  readonly upTo?: string | undefined;
  readonly limit: number;
}

/** What a run found of one user. */
export interface Result {
  readonly user: string;
  /** JSON: `true` for members, else the value of the trait. */
  readonly value: string;
  /** The run that found it first. */
  readonly since: number;
}

export interface ResultsPage {
  /** Undefined where there was no run, or that one is no longer kept. */
  readonly run: number | undefined;
  readonly results: readonly Result[];
  /** Where to go on; undefined when there are no more in what was asked for. */
  readonly next: string | undefined;
}

/** Hours of one user in which something was counted. */
export type Tile = { readonly measure: string; readonly hour: number } & (
  | {
      readonly kind: 'amounts';
      readonly count: number;
      readonly numbers: number;
      readonly sum: number;
      readonly min: number | null;
      readonly max: number | null;
    }
  | { readonly kind: 'values'; readonly value: string; readonly count: number }
  | { readonly kind: 'ends'; readonly first: End; readonly last: End }
);

/** The value of one event, as JSON. */
export interface End {
  readonly at: number;
  readonly messageId: string;
  readonly value: string;
}

/** What is known of one person. */
export interface Profile {
  /** The id that it is told under. */
  readonly user: string;
  /** All of them, that one included, in the order of their UTF-8. */
  readonly userIds: readonly string[];
  readonly anonymousIds: readonly string[];
  readonly traits: JsonObject;
  /** Computations whose last run found it. */
  readonly results: readonly { readonly computation: string; readonly value: string; readonly since: number }[];
  /** What was asked for comes to, one for each, in their order; undefined where it is missing. */
  readonly values: readonly unknown[];
  /** Of the measures that were asked for; undefined where they are larger than `TILES_BYTES` together. */
  readonly tiles: readonly Tile[] | undefined;
}

/** A tile is as large as its texts, and 100 bytes more: reading them, and looking at each, takes tens of milliseconds. */
export const TILES_BYTES = 2_000_000;

export interface ProfileRequest {
  readonly space: string;
  /** Any of its user ids. */
  readonly user: string;
  /** Whose tiles are wanted. */
  readonly measures: readonly string[];
  readonly values?: readonly Measured[];
}

/** `merged`: known under another id by now. `unknown`: there is no such profile, or it was erased. */
export type Standing = 'known' | 'merged' | 'unknown';

/** What is needed now. */
export interface Needed {
  readonly spaces: readonly MeasuredSpace[];
  readonly computations: readonly string[];
  /** Tiles of a measure before this hour are in no window; of a measure that is not named all stay. */
  readonly from: readonly { readonly measure: string; readonly hour: number }[];
}

export interface TidyRequest {
  /** Asked once it is known what there is, unless nothing can come before it is removed: what has come since stays. */
  readonly needed: () => Promise<Needed>;
  readonly limit: number;
}

export interface EraseRequest {
  readonly workspace: string;
  readonly userIds: readonly string[];
  /** As for `fold`. */
  readonly spaces: SpacesNow;
  /** The `next` of the one before. */
  readonly after?: string | undefined;
}

/** With what was folded before. */
export interface ErasedProfiles extends Pick<Folded, 'refusedIds' | 'undecided'> {
  /**
   * Ids that some merged with, and that were not asked for. Of those nothing is removed: nobody would know them afterwards, and more is
   * stored under them elsewhere.
   */
  readonly unasked: readonly string[];
  /**
   * It is to be asked again: something of them is left, as there was too much for one transaction, for which folds wait; or comes yet,
   * with what is being accepted.
   */
  readonly isMore: boolean;
  /** Where to go on: for what came while it was asked, nobody is to wait once more. Absent where there is nothing to wait for. */
  readonly next?: string;
  /** How long others waited for what was removed, without what it waited for itself; absent where that is not measured. */
  readonly tookMs?: number;
}

export const NOTHING_ERASED: ErasedProfiles = { unasked: [], refusedIds: 0, undecided: [], isMore: false };

/**
 * Profiles, what was counted of them, and what runs found. What the router accepted and caught comes in by `fold`, each event
 * once; all else reads or derives. Nothing here keeps delivery waiting: in `file/` it has a file and a thread of its own.
 */
export interface ProfileStorage extends Pick<Inbox, 'lastCaught'> {
  /**
   * Takes the oldest of what was caught: resolves ids, adds to tiles. Fewer than asked for where they take long to evaluate. One
   * transaction; a repetition does no harm.
   */
  fold(request: FoldRequest): Promise<Folded>;
  /** One run. */
  compute(request: ComputeRequest): Promise<Computed>;
  /** How many previews it makes beside each other, and beside all else; absent where it does one thing after the other. */
  readonly previewsAtOnce?: number;
  /** As `compute`, and stores nothing. */
  preview(request: PreviewRequest): Promise<Preview>;
  /** Stable for each run, whatever is computed meanwhile. Two runs are kept of each computation. */
  results(request: ResultsRequest): Promise<ResultsPage>;
  profile(request: ProfileRequest): Promise<Profile | undefined>;
  /** One for each user, in their order. */
  standing(request: { readonly space: string; readonly users: readonly string[] }): Promise<readonly Standing[]>;
  /**
   * Removes every trace of these users in a workspace, who are known under no other id: profile, traits, tiles, results. What was
   * caught until now is folded first, so that nothing of them stays behind there. Serialized with `fold`: nothing comes back by
   * one under way.
   */
  erase(request: EraseRequest): Promise<ErasedProfiles>;
  /** Removes what nothing refers to any more, a bounded part; answers whether more is left that no run has now. */
  tidy(request: TidyRequest): Promise<boolean>;
}
