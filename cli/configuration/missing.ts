import { isConfigApiError } from '../../client/config/config-api-error.ts';

/** Undefined for what is not there, or not in this version of the router. */
export function unlessMissing(error: unknown): undefined {
  if (!isConfigApiError(error, 'NotFound')) throw error;
}
