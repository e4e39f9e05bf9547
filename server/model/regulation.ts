export {
  type Regulation as StoredRegulation,
  REGULATION_STATUSES as STATUSES,
  REGULATION_TYPES as TYPES,
} from './resources.ts';
