import type { SourceView } from '../directory/source-view.ts';
import type { LossReason } from '../losses/dropped-events.ts';
import type { Event } from '../model/message.ts';
import type { Found } from '../tracking/found.ts';

/** Events of one source that arrived together. */
export interface Arrival {
  /** Full resource name of the source. */
  readonly source: string;
  readonly events: readonly Event[];
}

/** What a stage is given: normalized events, and what is to be done with those of their source. */
export interface Batch {
  readonly source: SourceView;
  readonly events: readonly Event[];
}

/** One call or event that goes no further, or not as it was sent. */
export interface Loss {
  /** As it came; of several at once, none is looked at. */
  readonly event?: unknown;
  readonly reason: LossReason;
  /** Several at once. */
  readonly count?: number;
}

/** What a stage makes of a batch. What is lost is counted and logged elsewhere, once the request is stored. */
export interface Outcome {
  readonly kept: readonly Event[];
  readonly losses?: readonly Loss[];
  /** Goes to other sources of the workspace, and passes no stage there but suppression: it would come round for ever. */
  readonly forwarded?: readonly Arrival[];
  readonly violations?: Found;
  /** Events that could not be decided within their budget, and by which definition. */
  readonly undecided?: { readonly definition: string; readonly events: readonly Event[] };
}

/** Pure but for the turns that it waits for: a batch may have to pass it again. */
export type Stage = (batch: Batch) => Outcome | Promise<Outcome>;
