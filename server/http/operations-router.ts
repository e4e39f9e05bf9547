import { createRequire } from 'node:module';
import { Readable } from 'node:stream';
import type * as KoaRouter from '@koa/router';
import type { Context, Middleware, Next } from 'koa';
import { operationsOf } from './document.ts';
import { type Api, stepsOf } from './operation-steps.ts';
import { createValidation } from './validation.ts';

// As CommonJS: its ES module imports `node:http`, and with it what node-http.ts leaves out.
const { Router }: typeof KoaRouter = createRequire(import.meta.url)('@koa/router');

/** Mounts every operation of the document. A path is compared with those alone that have its method, and as many segments. */
export function createOperationsRouter<Operations, Caller>(api: Api<Operations, Caller, Context>): Middleware {
  const routers = new Map<string, KoaRouter.Router>();
  const validation = createValidation(api.document);
  for (const operation of operationsOf(api.document)) {
    const shape = shapeOf(operation.method, operation.template);
    const router = routers.get(shape) ?? new Router({ sensitive: true });
    routers.set(shape, router);
    const steps = stepsOf(api, operation, validation);
    router[operation.method](operation.id, pattern(operation.template), async (ctx) => {
      const answer = await steps(ctx, ctx.params);
      // First the type: Koa would guess one for the body.
      ctx.type = operation.answerType;
      if (answer instanceof Readable) openStream(ctx, answer);
      else ctx.body = answer;
      ctx.status = 200;
    });
  }
  const served = new Map([...routers].map(([shape, router]) => [shape, { router, serve: router.routes() }]));
  return (ctx: Context, next: Next) => {
    const found = served.get(shapeOf(ctx.method === 'HEAD' ? 'get' : ctx.method.toLowerCase(), ctx.path));
    if (found === undefined) return next();
    // It asks for a context with these two, and fills them itself.
    return found.serve(Object.assign(ctx, { params: {}, router: found.router }), next);
  };
}

function shapeOf(method: string, path: string): string {
  return `${method} ${path.split('/').length}`;
}

/**
 * Nothing on the way may keep a part of it: not a cache, nor a proxy that collects answers. Its connection ends with it: one
 * that was kept would keep a router that stops.
 */
function openStream(ctx: Context, stream: Readable): void {
  ctx.set({ 'Cache-Control': 'no-store', 'X-Accel-Buffering': 'no', Connection: 'close' });
  ctx.body = stream;
}

/** A template as the router writes it; a colon in it is a colon (`source-connections:batchCreateConnections`). */
function pattern(template: string): string {
  return template.replaceAll(':', String.raw`\:`).replaceAll(/\{(\w+)\}/g, ':$1');
}
