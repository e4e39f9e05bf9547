import { createRequire } from 'node:module';
import { Readable } from 'node:stream';
import type * as KoaRouter from '@koa/router';
import type { Context, Middleware, Next } from 'koa';
import { type Operation, operationsOf } from './document.ts';
import { type Api, stepsOf } from './operation-steps.ts';
import { createValidation, type Validation } from './validation.ts';

// As CommonJS: its ES module imports `node:http`, and with it what node-http.ts leaves out.
const { Router }: typeof KoaRouter = createRequire(import.meta.url)('@koa/router');

/**
 * Mounts every operation of the document. A path is compared with those alone that have its method, and as many segments; these are
 * mounted at the first request that may be for one of them.
 */
export function createOperationsRouter<Operations, Caller>(api: Api<Operations, Caller, Context>): Middleware {
  const { document, validation = createValidation(document) } = api;
  const shapes = Map.groupBy(operationsOf(document), ({ method, template }) => shapeOf(method, template));
  const mounted = new Map<string, Mounted>();
  return (ctx: Context, next: Next) => {
    const shape = shapeOf(ctx.method === 'HEAD' ? 'get' : ctx.method.toLowerCase(), ctx.path);
    const operations = shapes.get(shape);
    if (operations === undefined) return next();
    const found = mounted.get(shape) ?? mount(api, operations, validation);
    mounted.set(shape, found);
    // It asks for a context with these two, and fills them itself.
    return found.serve(Object.assign(ctx, { params: {}, router: found.router }), next);
  };
}

interface Mounted {
  readonly router: KoaRouter.Router;
  readonly serve: ReturnType<KoaRouter.Router['routes']>;
}

function mount<Operations, Caller>(
  api: Api<Operations, Caller, Context>,
  operations: readonly Operation[],
  validation: Validation,
): Mounted {
  const router = new Router({ sensitive: true });
  for (const operation of operations) {
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
  return { router, serve: router.routes() };
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
