import { searchText } from '../session/search-text.ts';

const HOURS = ['1', '24', '168'] as const;

/** What is looked for: part of the address, so that a view can be sent to others. */
export interface AuditSearch {
  /** Of what belongs to no workspace. */
  readonly of?: 'router';
  /** Made in the last so many hours. */
  readonly hours?: (typeof HOURS)[number];
  readonly resource?: string;
}

export function readAuditSearch(search: Record<string, unknown>): AuditSearch {
  const hours = HOURS.find((one) => one === String(search['hours']));
  return {
    ...(search['of'] === 'router' ? { of: 'router' } : {}),
    ...(hours === undefined ? {} : { hours }),
    ...searchText(search, 'resource'),
  };
}
