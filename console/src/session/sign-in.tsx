import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRouteContext, useRouter, useSearch } from '@tanstack/react-router';
import { isConfigApiError } from '@waybill/client/config';
import { type FormEvent, useState } from 'react';
import { Button } from '../ui/button.tsx';
import { messageOf } from '../ui/errors.ts';
import { Failure } from '../ui/failure.tsx';
import { Field } from '../ui/field.tsx';
import { Icon } from '../ui/icons.tsx';
import { Notice } from '../ui/notice.tsx';
import { clientOf } from './session.ts';

export function SignInPage() {
  const { reason } = useSearch({ from: '/sign-in' });
  return (
    <main className="sign-in">
      <div className="brand">
        <Icon name="waybill" />
        Waybill
      </div>
      <div className="card card-body stack">
        <div className="stack-tight">
          <h1>Sign in</h1>
          <p className="muted">Use an access token of this router. It is kept in this browser tab only.</p>
        </div>
        {reason === 'ended' && <Notice tone="warn">The token is no longer valid. Sign in with another one.</Notice>}
        <SignInForm />
      </div>
      <p className="muted small sign-in-help">
        The first token is printed when the router starts on an empty data folder. Lost it? Run{' '}
        <code>npx waybill token create</code> on the router’s machine.
      </p>
    </main>
  );
}

function SignInForm() {
  const [token, setToken] = useState('');
  const signIn = useSignIn();
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    signIn.mutate(token.trim());
  };
  const isWrong = isConfigApiError(signIn.error, 'Unauthenticated') || signIn.error instanceof TypeError;
  return (
    <form className="stack" onSubmit={submit}>
      <Field label="Access token" error={isWrong && signIn.error !== null ? wrongToken(signIn.error) : undefined}>
        {(described) => (
          <input
            {...described}
            className="input mono"
            type="password"
            autoComplete="off"
            autoFocus
            required
            value={token}
            onChange={(event) => setToken(event.currentTarget.value)}
          />
        )}
      </Field>
      {signIn.error !== null && !isWrong && <Failure error={signIn.error} />}
      <Button look="primary" type="submit" disabled={signIn.isPending}>
        {signIn.isPending ? 'Signing in …' : 'Sign in'}
      </Button>
    </form>
  );
}

function wrongToken(error: Error): string {
  return error instanceof TypeError ? 'This is not an access token.' : messageOf(error);
}

/** Nothing is kept of a token that the router refuses. */
function useSignIn() {
  const { session } = useRouteContext({ from: '__root__' });
  const { to } = useSearch({ from: '/sign-in' });
  const queries = useQueryClient();
  const { navigate, history } = useRouter();
  return useMutation({
    mutationFn: async (token: string) => {
      await clientOf(token, location.origin)?.accessTokens.get('access-tokens/self');
      return token;
    },
    onSuccess: async (token) => {
      queries.clear();
      session.signIn(token);
      if (to === undefined) await navigate({ to: '/' });
      else history.push(to);
    },
  });
}
