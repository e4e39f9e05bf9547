import type { Context, Middleware } from 'koa';
import type { operations } from '../../generated/ingestion-api.d.ts';
import type { Turns } from '../evaluation/turns.ts';
import type { Admission } from '../http/admission.ts';
import type { Log } from '../ports/log.ts';
import type { ClientAddresses } from '../http/client-addresses.ts';
import { loadDocument, type Operation, operationsOf } from '../http/document.ts';
import { answerErrors } from '../http/error-answers.ts';
import { ApiError } from '../http/errors.ts';
import { workspaceOf } from '../model/resources.ts';
import type { Quotas } from '../quotas/quotas.ts';
import type { SharedState } from '../storage/shared-state.ts';
import { queryOf } from '../http/operation-checks.ts';
import { createOperationsRouter } from '../http/operations-router.ts';
import { createAccessTokens } from './access-tokens.ts';
import { addressOf } from './address.ts';
import { type Caller, callerOf, keyIn, keysInHeader, keysInText, sourceOf, UnknownWriteKey } from './caller.ts';
import { allowAllOrigins } from './cors.ts';
import { type HandlerPorts, ingestionHandlers } from './handlers.ts';
import { parseLenientJson } from './lenient-json.ts';
import { BODY_BYTES } from '../events/event-limits.ts';
import { OauthError, tokenAnswers } from './oauth-error.ts';
import { alwaysPixel } from './pixel-handler.ts';
import { settingsCaching } from './library-settings.ts';
import { createSharedUsedAssertions, createUsedAssertions } from './used-assertions.ts';

export interface IngestionPorts extends Omit<HandlerPorts, 'accessTokens' | 'usedAssertions'> {
  readonly admission: Admission;
  readonly addresses: ClientAddresses;
  readonly turns: Turns;
  readonly log: Log;
  /** Where workspaces may have quotas. */
  readonly quotas?: Pick<Quotas, 'refuseFull'> | undefined;
  /** Where other routers answer the same senders. */
  readonly shared?: Pick<SharedState, 'signingKey' | 'useOnce'> | undefined;
}

/** A body from this size on takes a good part of a turn: its events are parsed, checked and normalized in one go. */
const LARGE_BODY = 65_536;
const BYTE_STEPS = 5;

/** Large bodies that come together are taken one after the other (SAFE-2). */
async function turnOfBody(turns: Turns, bytes: number): Promise<void> {
  const wait = turns.room();
  if (wait !== undefined) await wait;
  turns.spent(BYTE_STEPS * bytes);
}

/** Answers everything under `/v1/` (ING-1) and its aliases, and passes on the rest. */
export function createIngestionApi(ports: IngestionPorts): Middleware {
  const { clock, shared } = ports;
  const document = loadDocument('ingestion-api');
  const router = createOperationsRouter<operations, Caller>({
    document,
    handlers: ingestionHandlers({
      ...ports,
      accessTokens: createAccessTokens(clock, shared),
      usedAssertions: shared === undefined ? createUsedAssertions() : createSharedUsedAssertions(shared),
    }),
    bodyLimit: { bytes: BODY_BYTES, failure: 'PayloadTooLarge' },
    parse: parseLenientJson,
    awaitTurn: (bytes) => (bytes < LARGE_BODY ? undefined : turnOfBody(ports.turns, bytes)),
    enter: ({ holder }) => ports.admission.enter(holder),
    guard: (ctx, operation) => admit(ports, ctx, operation),
    beforeParsing: (caller, body) => refuseStranger(ports, caller, body),
  });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it sets the fields of the context that it asks for
  const serve = router.routes() as Middleware;
  const isKnown = (path: string): boolean => router.match(path, 'POST').path.length > 0;
  const errors = answerErrors(ports.log, bodyOf);
  const usual = [allowAllOrigins, errors, answerHead(isKnown), serve];
  const special = new Map<string, readonly Middleware[]>(
    Object.entries({
      pixel: [allowAllOrigins, errors, alwaysPixel(ports.log), answerHead(isKnown), serve],
      token: [allowAllOrigins, errors, tokenAnswers, answerHead(isKnown), serve],
      projects: [allowAllOrigins, errors, answerHead(isKnown), settingsCaching(ports.publicUrl), serve],
    }),
  );
  const known = new Set(operationsOf(document).map(({ template }) => firstOf(template)));
  return (ctx, next) => {
    const address = addressOf(ctx.path, known);
    if (address === undefined) return next();
    ctx.path = address;
    return run(special.get(firstOf(address)) ?? usual, ctx);
  };
}

/** The first segment below `/v1/`. */
function firstOf(address: string): string {
  return address.split('/', 3)[2] ?? '';
}

/** Each layer around the next; what none of them answers has no address. */
function run(layers: readonly Middleware[], ctx: Context, at = 0): Promise<unknown> {
  const layer = layers[at];
  if (layer === undefined) return Promise.reject(unknownPath(ctx.method, ctx.path));
  return Promise.resolve(layer(ctx, () => run(layers, ctx, at + 1)));
}

/** Open operations ignore keys in the header and the query; elsewhere such a key is looked up before the body is read. */
async function admit(ports: IngestionPorts, ctx: Context, { isOpen }: Operation): Promise<Caller> {
  const { directory, clock, addresses, unknownKeys } = ports;
  const receivedAt = clock.now();
  const keys = isOpen ? [] : keysBeforeBody(ctx);
  try {
    const source = keys.length === 0 ? undefined : await sourceOf(directory, keys);
    if (source !== undefined) ports.quotas?.refuseFull(workspaceOf(source.name));
    return callerOf(ctx, { source, keys, receivedAt, addresses });
  } catch (error) {
    // Its body is read as every other: a malformed or oversize one is refused whatever its key.
    if (unknownKeys === undefined || !(error instanceof UnknownWriteKey)) throw error;
    return { ...callerOf(ctx, { source: undefined, keys, receivedAt, addresses }), unknownKey: error.key };
  }
}

/** So much is parsed of anybody; of more, a key in it is looked up first (SAFE-1). */
const STRANGERS_BYTES = 16_384;

async function refuseStranger(
  { directory, unknownKeys }: IngestionPorts,
  { source }: Caller,
  body: Buffer,
): Promise<void> {
  if (source !== undefined || body.length <= STRANGERS_BYTES) return;
  // Where unknown keys are accepted, whoever names one is no stranger.
  const keys = keysInText(body);
  if (unknownKeys === undefined || keys.length === 0) await sourceOf(directory, keys);
}

function keysBeforeBody(ctx: Context): readonly string[] {
  const inHeader = keysInHeader(ctx.get('authorization'));
  const inQuery = ctx.querystring === '' ? undefined : keyIn(queryOf(ctx.querystring));
  return inHeader.length > 0 || inQuery === undefined ? inHeader : [inQuery];
}

/** Monitors ask with HEAD whether an address is there, also where only a POST does something. */
function answerHead(isKnown: (path: string) => boolean): Middleware {
  return (ctx, next) => {
    if (ctx.method !== 'HEAD' || !isKnown(ctx.path)) return next();
    ctx.status = 200;
    ctx.body = '';
    return Promise.resolve();
  };
}

/** The three keys that SDKs in the field read, between them (D-40). */
function bodyOf(error: ApiError): object {
  const { message, code } = error;
  return error instanceof OauthError
    ? { error: error.oauthName, error_description: message, code, message }
    : { error: message, code, message };
}

function unknownPath(method: string, path: string): ApiError {
  return new ApiError('NotFound', `no such address: ${method} ${path.slice(0, 200)}`);
}
