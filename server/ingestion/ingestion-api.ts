import type { Middleware } from 'koa';
import type { operations } from '../../generated/ingestion-api.d.ts';
import { loadDocument } from '../http/document.ts';
import { answerErrors } from '../http/error-answers.ts';
import { ApiError } from '../http/errors.ts';
import { createOperationsRouter } from '../http/operations-router.ts';
import type { Clock } from '../ports/clock.ts';
import { type Caller, type HandlerPorts, ingestionHandlers } from './handlers.ts';
import { parseLenientJson } from './lenient-json.ts';
import { BODY_BYTES } from './limits.ts';
import { keyInHeader, sourceOf } from './write-key.ts';

export interface IngestionPorts extends HandlerPorts {
  readonly clock: Clock;
}

/** Answers everything under `/v1/` (ING-1), and passes on the rest. */
export function createIngestionApi(ports: IngestionPorts): Middleware {
  const router = createOperationsRouter<operations, Caller>({
    document: loadDocument('ingestion-api'),
    handlers: ingestionHandlers(ports),
    bodyLimit: { bytes: BODY_BYTES, failure: 'PayloadTooLarge' },
    parse: parseLenientJson,
    guard: async (ctx) => callerOf(ports, ctx.get('authorization')),
  });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it sets the fields of the context that it asks for
  const serve = router.routes() as Middleware;
  const answer = answerErrors(ports.log, bodyOf);
  return (ctx, next) => {
    if (!ctx.path.startsWith('/v1/')) return next();
    return answer(ctx, () => serve(ctx, () => Promise.reject(unknownPath(ctx.method, ctx.path))));
  };
}

async function callerOf({ config, clock }: IngestionPorts, authorization: string): Promise<Caller> {
  const receivedAt = clock.now();
  const key = keyInHeader(authorization);
  return { source: key === undefined ? undefined : await sourceOf(config, key), receivedAt };
}

/** The three keys that SDKs in the field read, between them (D-40). */
function bodyOf({ message, code }: ApiError): object {
  return { error: message, code, message };
}

function unknownPath(method: string, path: string): ApiError {
  return new ApiError('NotFound', `no such address: ${method} ${path.slice(0, 200)}`);
}
