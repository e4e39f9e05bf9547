import { join } from 'node:path';
import { ROOT } from '../generate/root.ts';

/** A contract, with the copy of it that clients and receivers were built for. */
export interface ReleasedContract {
  readonly name: string;
  readonly released: string;
  readonly current: string;
  /** The list of breaks that were decided on since the release; a release empties it. */
  readonly permittedChanges: string;
}

export const RELEASED: readonly ReleasedContract[] = [
  {
    name: 'Config API v1beta',
    released: join(ROOT, 'openapi/released/config-api.v1beta.json'),
    current: join(ROOT, 'generated/config-api.json'),
    permittedChanges: join(ROOT, 'openapi/released/config-api.v1beta.permitted-changes.json'),
  },
];
