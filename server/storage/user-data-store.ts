/** The former name, while the last imports move. */
export type { JobStorage as UserDataStore } from './job-storage.ts';
