import type { operations } from '../../generated/config-api.d.ts';
import type { Handlers } from '../http/contract.ts';
import type { Clock } from '../ports/clock.ts';
import type { ConfigStore } from '../ports/config-store.ts';
import type { Caller } from './caller.ts';

/** What every handler of the Config API is given. */
export interface Env {
  readonly store: ConfigStore;
  readonly clock: Clock;
}

/** One handler for each operation of the document. */
export type ConfigHandlers = Handlers<operations, Caller>;
