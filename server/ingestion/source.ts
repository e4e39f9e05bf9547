import type { Resources } from '../storage/config-store.ts';

/** Where events come from, as the config store holds it. */
export type Source = Resources['sources'];
