/** The former name, while the last imports move. */
export type { JobStorage as RetentionStore } from './job-storage.ts';
