import { isConfigApiError } from '../../client/config/config-api-error.ts';
import type { Api } from './api.ts';
import type { Kind } from './kinds.ts';

/** Undefined for what is not there, or not in this version of the router. */
export function unlessMissing(error: unknown): undefined {
  if (!isConfigApiError(error, 'NotFound')) throw error;
}

/** Undefined for what is below a resource that was deleted since it was listed, and so is no more, either. */
export function unlessDeleted(api: Api, kind: Kind, name: string): (error: unknown) => Promise<undefined> {
  return async (error) => {
    unlessMissing(error);
    if ((await api.get(kind, name).catch(unlessMissing)) !== undefined) throw error;
  };
}
