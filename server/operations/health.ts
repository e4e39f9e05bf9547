import type { Middleware } from 'koa';
import { type Findings, isReady } from './readiness.ts';

export interface HealthParts {
  readonly stopping: Pick<AbortSignal, 'aborted'>;
  /** Whether what requests bring can be stored. */
  readonly readiness: () => Promise<Findings>;
}

const STOPPING: Findings = { router: 'it is stopping' };

/**
 * `/healthz`: the process runs; a full disk is nothing that a restart mends. `/readyz`: it takes requests and can store
 * what they bring, which is tried; what stands in the way is said for each check.
 */
export function createHealth({ stopping, readiness }: HealthParts): Middleware {
  return async (ctx, next) => {
    if (ctx.path === '/healthz') {
      ctx.body = { status: 'ok' };
    } else if (ctx.path === '/readyz') {
      const checks = stopping.aborted ? STOPPING : await readiness();
      const ready = isReady(checks);
      ctx.set('Cache-Control', 'no-store');
      ctx.status = ready ? 200 : 503;
      ctx.body = { status: ready ? 'ready' : 'not ready', checks };
    } else await next();
  };
}
