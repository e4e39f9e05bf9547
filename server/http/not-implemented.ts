import { ApiError } from './errors.ts';

/** Marks an operation that the document promises and the server does not have yet: it answers 501 (CFG-19). */
export function notImplemented(): Promise<never> {
  return Promise.reject(new ApiError('Unimplemented', 'this method is not implemented'));
}
