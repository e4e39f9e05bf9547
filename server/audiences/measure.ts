import type { TileKind } from './plan.ts';

/** Which events are counted for which user, and what of them. Thresholds, windows and aggregates of one kind share it. */
export interface Measure {
  /** Of all that follows: what has the same id, has the same tiles. */
  readonly id: string;
  readonly kind: TileKind;
  /** FQL. */
  readonly where: string;
  /** Steps of the path to the value; absent where events are only counted. */
  readonly of?: readonly string[] | undefined;
  /** Full names; absent: all sources of the workspace. */
  readonly sources?: readonly string[] | undefined;
  /** Milliseconds since the epoch: events received before are not counted (`history_from`). */
  readonly from: number;
}

/** The profiles of one workspace, from the moment on at which they began to be kept. */
export interface Space {
  /** `workspaces/w@1760000000000`: begun anew, it is another. */
  readonly id: string;
  readonly workspace: string;
}
