import type { Unreachable } from '../fault-script/step.ts';

/** What Node itself says: nock passes the code on, so that a sender sees what it would see from the network. */
const ERRORS: { readonly [U in Unreachable | 'reset']: readonly [code: string, message: string] } = {
  dns_error: ['ENOTFOUND', 'getaddrinfo ENOTFOUND'],
  connect_refused: ['ECONNREFUSED', 'connect ECONNREFUSED'],
  connect_timeout: ['ETIMEDOUT', 'connect ETIMEDOUT'],
  reset: ['ECONNRESET', 'read ECONNRESET'],
};

export function networkError(kind: Unreachable | 'reset'): Error {
  const [code, message] = ERRORS[kind];
  return Object.assign(new Error(message), { code });
}
