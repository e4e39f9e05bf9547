/** The former name, while the last imports move. */
export type { WriteCheck } from './storage.ts';
