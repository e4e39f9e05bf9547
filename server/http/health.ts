import type { Middleware } from 'koa';

/** `/healthz`: the process runs. `/readyz`: it takes requests and can store what they bring. */
export function createHealth(isReady: () => boolean): Middleware {
  return async (ctx, next) => {
    if (ctx.path === '/healthz') {
      ctx.body = { status: 'ok' };
    } else if (ctx.path === '/readyz') {
      const ready = isReady();
      ctx.status = ready ? 200 : 503;
      ctx.body = { status: ready ? 'ready' : 'not ready' };
    } else await next();
  };
}
