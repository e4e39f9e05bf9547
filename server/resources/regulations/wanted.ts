import { ApiError } from '../../http/errors.ts';
import type { PageQuery } from '../paging.ts';
import { STATUSES, type StoredRegulation, TYPES } from '../../model/regulation.ts';

export interface RegulationQuery extends PageQuery {
  readonly status?: string;
  /** Several are separated by commas. */
  readonly regulation_types?: string;
}

/** Which regulations a list shows. Names are taken in any case; an unknown one is refused. */
export function wantedIn(query: RegulationQuery): (regulation: StoredRegulation) => boolean {
  const statuses = readChoices('status', query.status, STATUSES);
  const types = readChoices('regulation_types', query.regulation_types, TYPES);
  return ({ overall_status: status, regulation_type: type }) =>
    (statuses.length === 0 || statuses.includes(status)) && (types.length === 0 || types.includes(type));
}

function readChoices(field: string, text: string | undefined, choices: readonly string[]): string[] {
  const parts = (text ?? '').split(',').map((part) => part.trim());
  return parts
    .filter((part) => part !== '')
    .map((part) => {
      const choice = choices.find((one) => one.toLowerCase() === part.toLowerCase());
      if (choice !== undefined) return choice;
      throw new ApiError(
        'InvalidArgument',
        `${field} must be of ${choices.join(', ')}, got ${JSON.stringify(part.slice(0, 80))}`,
      );
    });
}
