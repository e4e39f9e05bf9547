import type { Call } from './call.ts';
import { type Failure, readFailure } from './failure.ts';
import type { Outcome } from './requester.ts';

/** What a call comes to, once it is not repeated any more: what its answer holds, or why there is none. */
export function resultOf<T>(call: Call<T>, outcome: Outcome): { readonly value: T } | Failure {
  switch (outcome.kind) {
    case 'network':
      return { kind: 'Network', detail: `got no answer: ${reasons(outcome.cause)}`, cause: outcome.cause };
    case 'timeout':
      return { kind: 'Timeout', detail: `got ${reasons(outcome.cause)}; see timeoutMs`, cause: outcome.cause };
    case 'answered': {
      if (!outcome.ok) return readFailure(outcome.status, outcome.body);
      const reading = call.read(outcome.body, outcome.tag);
      if ('value' in reading) return reading;
      // Without the body: an answer like this may hold secrets in clear.
      return {
        kind: 'UnexpectedAnswer',
        detail: `answered ${outcome.status} with a body that is not of this API: ${reading.problem}`,
      };
    }
  }
}

/** The message of an error and of those below it: fetch tells what happened only in its cause. */
function reasons(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // Of a name with several addresses, as localhost is, Node says in the error of each alone why there was no connection.
  if (error instanceof AggregateError) return reasons(error.errors[0]);
  return error.cause === undefined ? error.message : `${error.message}: ${reasons(error.cause)}`;
}
