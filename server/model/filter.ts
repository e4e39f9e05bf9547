export type { Filter as StoredFilter, FilterAction } from './resources.ts';
