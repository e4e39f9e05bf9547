import type { components } from '../../generated/config-api.d.ts';

type Regulation = components['schemas']['Regulation'];

/** A regulation as it is stored: with the ids that it is about. */
export interface StoredRegulation extends Readonly<Regulation> {
  /** Each once. Emptied when the regulation has ended and no later event is judged by them. */
  readonly user_ids: readonly string[];
}

export const TYPES = [
  'Suppress',
  'Unsuppress',
  'Suppress_With_Delete',
  'Delete',
  'Delete_Internal',
] as const satisfies Regulation['regulation_type'][];

export const STATUSES = [
  'INITIALIZED',
  'INVALID',
  'NOT_SUPPORTED',
  'RUNNING',
  'PARTIAL_SUCCESS',
  'FAILED',
  'FINISHED',
] as const satisfies Regulation['overall_status'][];
