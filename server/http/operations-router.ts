import { createRequire } from 'node:module';
import { Readable } from 'node:stream';
import type * as KoaRouter from '@koa/router';
import type { Context } from 'koa';
import { operationsOf } from './document.ts';
import { type Api, stepsOf } from './operation-steps.ts';
import { createValidation } from './validation.ts';

// As CommonJS: its ES module imports `node:http`, and with it what node-http.ts leaves out.
const { Router }: typeof KoaRouter = createRequire(import.meta.url)('@koa/router');

/** Mounts every operation of the document. */
export function createOperationsRouter<Operations, Caller>(api: Api<Operations, Caller, Context>): KoaRouter.Router {
  const router = new Router({ sensitive: true });
  const validation = createValidation(api.document);
  for (const operation of operationsOf(api.document)) {
    const steps = stepsOf(api, operation, validation);
    router[operation.method](operation.id, pattern(operation.template), async (ctx) => {
      const answer = await steps(ctx, ctx.params);
      if (answer instanceof Readable) openStream(ctx, answer);
      else ctx.body = answer;
      ctx.type = operation.answerType;
      ctx.status = 200;
    });
  }
  return router;
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
