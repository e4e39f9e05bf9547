import type { Event } from '../model/message.ts';

/** An event while it is being put together. */
export type Draft = { -readonly [Key in keyof Event]: Event[Key] };
