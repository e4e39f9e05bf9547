/** The former name, while the last imports move. */
export type { JobStorage as ReplayStore } from './job-storage.ts';
