/** Property-based generators. They need fast-check, and so have an entry of their own. */
export { anyEvent, anyEventOf } from './webhook-arbitraries.ts';
