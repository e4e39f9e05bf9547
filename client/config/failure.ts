import { type ConfigApiErrorKind, NAMED_ERRORS, type NamedErrorKind } from './config-api-error.ts';

/** Why a call has no result. */
export interface Failure {
  readonly kind: ConfigApiErrorKind;
  /** The number in the body of an error (S 7.1). */
  readonly code?: number;
  /** In words, after the request that failed; it may hold text of the answer. */
  readonly detail: string;
  readonly cause?: unknown;
}

const UNROUTABLE = 'upstream connect error';

/**
 * What went wrong, by status and body: parsed JSON, else its text, else undefined. A body of this API tells. Without any
 * body the status does, except where it says something of a resource: gateways answer an empty 404 to what they cannot
 * route, and nobody should conclude from it that a resource is gone.
 */
export function readFailure(status: number, body: unknown): Failure {
  if (isStatusBody(body)) {
    const { code, error } = body;
    return { kind: kindWhere('code', code), code, detail: `answered ${status}, code ${code}: ${error}` };
  }
  if (isEmpty(body)) {
    const named = kindWhere('status', status);
    const kind = named === 'NotFound' || named === 'AlreadyExists' ? 'UnexpectedAnswer' : named;
    return { kind, detail: `answered ${status} without a body` };
  }
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  if (status === 503 && text.startsWith(UNROUTABLE)) return { kind: 'Unroutable', detail: `answered 503: ${text}` };
  return { kind: 'UnexpectedAnswer', detail: `answered ${status} with a body that is not of this API: ${text}` };
}

export function isEmpty(body: unknown): boolean {
  return body === undefined || (typeof body === 'string' && body.trim() === '');
}

function kindWhere(property: 'status' | 'code', value: number): ConfigApiErrorKind {
  const names = Object.keys(NAMED_ERRORS).filter(isNamedError);
  return names.find((name) => NAMED_ERRORS[name][property] === value) ?? 'UnexpectedAnswer';
}

function isNamedError(name: string): name is NamedErrorKind {
  return Object.hasOwn(NAMED_ERRORS, name);
}

/** The one shape of errors of this API (D-2). */
function isStatusBody(body: unknown): body is { readonly error: string; readonly code: number } {
  if (typeof body !== 'object' || body === null || !('error' in body) || !('code' in body)) return false;
  return typeof body.error === 'string' && typeof body.code === 'number';
}
