import { isConfigApiError } from '@waybill/client/config';
import { Button } from './button.tsx';
import { messageOf, Told } from './errors.ts';
import { Notice } from './notice.tsx';
import { durationText } from './time.tsx';

/** What the API said, in its own words: they name the field and the way out. */
export function Failure({ error, retry }: { readonly error: unknown; readonly retry?: () => void }) {
  return (
    <Notice tone="bad">
      <strong>{titleOf(error)}</strong>
      <p>{messageOf(error)}</p>
      {isConfigApiError(error) && error.retryAfterMs !== undefined && (
        <p>Try again in {durationText(error.retryAfterMs)}.</p>
      )}
      {retry !== undefined && (
        <p>
          <Button size="small" onClick={retry}>
            Try again
          </Button>
        </p>
      )}
    </Notice>
  );
}

function titleOf(error: unknown): string {
  if (error instanceof Told) return error.title;
  if (!isConfigApiError(error)) return 'Something went wrong in the console';
  switch (error.kind) {
    case 'Network':
    case 'Timeout':
    case 'Unroutable':
    case 'Unavailable':
      return 'The router did not answer';
    case 'ResourceExhausted':
      return 'Too many requests with this token';
    case 'PermissionDenied':
      return 'This token may not do that';
    case 'NotFound':
      return 'Not found';
    case 'InvalidArgument':
    case 'AlreadyExists':
      return 'The router refused this';
    case 'Unauthenticated':
      return 'The token is no longer valid';
    case 'Internal':
    case 'Unimplemented':
    case 'UnexpectedAnswer':
      return 'The router reported an error';
  }
}
