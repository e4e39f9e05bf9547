import { ApiError } from '../http/errors.ts';

/** What can be wrong with a request for a token, by the names of RFC 6749. SDKs give up on either. */
const NAMES = { invalid_request: 'InvalidArgument', invalid_client: 'Unauthenticated' } as const;

/** A failure that is answered as OAuth clients read it: a name in `error`, and what was wrong in `error_description`. */
export class OauthError extends ApiError {
  readonly oauthName: keyof typeof NAMES;

  constructor(name: keyof typeof NAMES, message: string, options?: ErrorOptions) {
    super(NAMES[name], message, options);
    this.oauthName = name;
  }
}
