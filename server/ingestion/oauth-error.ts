import type { Serve } from '../http/answer.ts';
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

/** What is wrong with the form of a request is found before OAuth is thought of; its clients read it like the rest. */
export function formErrors(serve: Serve): Serve {
  return async (asked) => {
    try {
      return await serve(asked);
    } catch (thrown) {
      const isOfForm =
        thrown instanceof ApiError && !(thrown instanceof OauthError) && thrown.failure === 'InvalidArgument';
      throw isOfForm ? new OauthError('invalid_request', thrown.message, { cause: thrown }) : thrown;
    }
  };
}
