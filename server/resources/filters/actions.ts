import { ApiError } from '../../http/errors.ts';
import type { FilterAction } from '../../model/filter.ts';

/** What all actions of one filter take as JSON: some thousand names of fields. */
const ACTIONS_BYTES = 65_536;

/** Passes actions that are complete, with what belongs to their type and nothing else. */
export function readActions(actions: readonly FilterAction[]): FilterAction[] {
  const bytes = Buffer.byteLength(JSON.stringify(actions));
  if (bytes > ACTIONS_BYTES) {
    throw new ApiError('InvalidArgument', `filter.actions take ${bytes} bytes of at most ${ACTIONS_BYTES}`);
  }
  return actions.map((action, index) => readAction(action, `filter.actions[${index}]`));
}

function readAction({ type, percent, path, fields }: FilterAction, place: string): FilterAction {
  switch (type) {
    case 'drop_event':
      return { type };
    case 'sample_event':
      if (percent === undefined) throw missing(place, 'percent, from 0 to 1', type);
      return { type, percent, path: path ?? '' };
    case 'whitelist_fields':
    case 'allowlist_fields':
    case 'blacklist_fields':
    case 'blocklist_fields':
      if (fields === undefined) throw missing(place, 'fields', type);
      return { type, fields };
  }
}

function missing(place: string, what: string, type: string): ApiError {
  return new ApiError('InvalidArgument', `${place} must have ${what}: ${type} needs it`);
}
