import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import Koa, { type Middleware } from 'koa';
import type { Log } from '../ports/log.ts';
import { targetOf } from './asked.ts';
import { refuseRequest, UNREADABLE_TARGET } from './client-error.ts';
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

/** The web application: all services on one port, but for what stands in front of it. */
export function createApplication({ log, health, services, stopping }: Parts): Koa {
  const app = new Koa();
  // Errors are answered below; what Koa itself would print are connections that broke while being answered.
  app.silent = true;
  app.use(health);
  app.use(answerErrors(log, ({ message, code }) => ({ error: message, code, message })));
  app.use((_ctx, next) => {
    refuseWhen(stopping);
    return next();
  });
  for (const service of services) app.use(service);
  app.use((ctx) => {
    ctx.status = 503;
    ctx.body = NO_ROUTE;
  });
  return app;
}

/** Requests that still come on open connections while the router stops are sent elsewhere (CFG-20). */
export function refuseWhen(stopping: Parts['stopping'] | undefined): void {
  if (stopping?.aborted !== true) return;
  throw new ApiError('Unavailable', 'the router is stopping; try again', { endsConnection: true });
}

/** Answers a request by itself; false when it is for somebody else. */
export type Front = (request: IncomingMessage, response: ServerResponse) => boolean;

/**
 * What is asked most is answered first; the application has the rest. Both are told path and query alone: Koa's own reading of
 * a whole address throws at more of them than this one.
 */
export function behind(front: Front, application: Koa): RequestListener {
  const handle = application.callback();
  return (request, response) => {
    const target = targetOf(request.url ?? '');
    if (target === undefined) return refuseRequest(response, UNREADABLE_TARGET);
    request.url = target;
    if (!front(request, response)) void handle(request, response);
  };
}
