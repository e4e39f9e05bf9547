import './styles/index.css';
import { notifyManager, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { isConfigApiError } from '@waybill/client/config';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createConsoleRouter } from './router.tsx';
import { createSession } from './session/session.ts';
import { applyTheme } from './shell/theme.tsx';

/** What was read this long ago is shown again without asking. */
const FRESH_MS = 5_000;

// What begins is shown before the next click or key is heard, so that nothing is sent twice; a timer may come after it.
notifyManager.setScheduler(queueMicrotask);

applyTheme(localStorage);
const session = createSession(sessionStorage, location.origin);
const queries = new QueryClient({
  // The client of the API repeats what is worth repeating.
  defaultOptions: { queries: { retry: false, staleTime: FRESH_MS }, mutations: { retry: false } },
  queryCache: new QueryCache({ onError: leaveWhenRevoked }),
});
const router = createConsoleRouter({ session, queries });

/** A token that was revoked elsewhere ends the session here. */
function leaveWhenRevoked(error: Error): void {
  if (!isConfigApiError(error, 'Unauthenticated') || session.client === undefined) return;
  session.signOut();
  queries.clear();
  void router.navigate({ to: '/sign-in', search: { reason: 'ended', to: router.state.location.publicHref } });
}

const place = document.getElementById('console');
if (place === null) throw new Error('the page has no place for the console');
createRoot(place).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
);
