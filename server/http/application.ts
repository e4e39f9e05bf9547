import Koa, { type Middleware } from 'koa';
import type { Log } from '../ports/log.ts';
import { answerErrors } from './error-answers.ts';
import { ApiError } from './errors.ts';

/** What an address that no service stands behind answers, to the letter (CFG-21). */
export const NO_ROUTE = 'upstream connect error or disconnect/reset before headers';

export interface Parts {
  readonly log: Log;
  readonly health: Middleware;
  /** Each serves its own paths and passes on the rest. */
  readonly services: readonly Middleware[];
  /** Aborted from the moment the router begins to stop. */
  readonly stopping: Pick<AbortSignal, 'aborted'>;
}

/** The one web application: all services on one port. */
export function createApplication({ log, health, services, stopping }: Parts): Koa {
  const app = new Koa();
  // Errors are answered below; what Koa itself would print are connections that broke while being answered.
  app.silent = true;
  app.use(health);
  app.use(answerErrors(log, ({ message, code }) => ({ error: message, code, message })));
  app.use(refuseWhen(stopping));
  for (const service of services) app.use(service);
  app.use((ctx) => {
    ctx.status = 503;
    ctx.body = NO_ROUTE;
  });
  return app;
}

/** Requests that still come on open connections while the router stops are sent elsewhere (CFG-20). */
function refuseWhen(stopping: Parts['stopping']): Middleware {
  return async (ctx, next) => {
    if (!stopping.aborted) return next();
    ctx.set('Connection', 'close');
    throw new ApiError('Unavailable', 'the router is stopping; try again');
  };
}
