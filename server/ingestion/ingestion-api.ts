import type { ServerResponse } from 'node:http';
import type { operations } from '../../generated/ingestion-api.d.ts';
import { type Turns, turnsOf } from '../fairness/turns.ts';
import type { Admission } from '../http/admission.ts';
import type { Log } from '../ports/log.ts';
import type { ClientAddresses } from '../http/client-addresses.ts';
import { EMPTY, jsonAnswer, send, type Serve, withHeaders } from '../http/answer.ts';
import { type Front, refuseWhen } from '../http/application.ts';
import { type Asked, PlainRequest } from '../http/asked.ts';
import { loadDocument, type Operation } from '../http/document.ts';
import { failureOf, headersOf } from '../http/error-answers.ts';
import { ApiError } from '../http/errors.ts';
import { workspaceOf } from '../model/resource-names.ts';
import type { Quotas } from '../quotas/quotas.ts';
import type { SharedState } from '../storage/shared-state.ts';
import type { UsedIds } from '../storage/used-ids.ts';
import { queryOf } from '../http/validation.ts';
import { createAccessTokens } from './access-tokens.ts';
import { addressOf, createAddresses, firstOf, firstSegments, shownAddress } from './addresses.ts';
import { type Caller, callerOf, keyIn, keysInHeader, keysInText, sourceOf, UnknownWriteKey } from './caller.ts';
import { originHeaders, preflight } from './cors.ts';
import { type HandlerPorts, ingestionHandlers } from './handlers.ts';
import { parseLenientJson } from './lenient-json.ts';
import { BODY_BYTES } from '../events/event-limits.ts';
import { createIsoWriter } from '../events/times.ts';
import { formErrors, OauthError } from './oauth-error.ts';
import { alwaysPixel } from './pixel-handler.ts';
import { settingsCaching } from './library-settings.ts';
import { createUsedAssertions } from './used-assertions.ts';

export interface IngestionPorts extends Omit<HandlerPorts, 'accessTokens' | 'usedAssertions' | 'iso'> {
  readonly admission: Admission;
  readonly addresses: ClientAddresses;
  readonly turns: Turns;
  readonly log: Log;
  /** Aborted from the moment the router begins to stop; it never does where not given. */
  readonly stopping?: Pick<AbortSignal, 'aborted'>;
  /** Where workspaces may have quotas. */
  readonly quotas?: Pick<Quotas, 'refuseFull'> | undefined;
  /** Where other routers answer the same senders. */
  readonly shared?: Pick<SharedState, 'signingKey'> | undefined;
  readonly usedIds: UsedIds;
}

/** A body from this size on takes a good part of a turn: its events are parsed, checked and normalized in one go. */
const LARGE_BODY = 65_536;
const BYTE_STEPS = 5;

/** Large bodies that come together are read one after the other (SAFE-2). */
async function readInTurn<Body>(turns: Turns, bytes: number, read: () => Body): Promise<Body> {
  const wait = turns.room();
  if (wait !== undefined) await wait;
  turns.spent(BYTE_STEPS * bytes);
  return read();
}

/**
 * Answers everything under `/v1/` (ING-1) and its aliases by itself, without the web application that serves the rest: an
 * event is stored in the time that its layers take. False for the address of somebody else.
 */
export function createIngestionApi(ports: IngestionPorts): Front {
  const { clock, shared, usedIds, publicUrl, log } = ports;
  const document = loadDocument('ingestion-api');
  const find = createAddresses<operations, Caller>({
    document,
    handlers: ingestionHandlers({
      ...ports,
      accessTokens: createAccessTokens(clock, shared),
      usedAssertions: createUsedAssertions(usedIds),
      iso: createIsoWriter(),
    }),
    bodyLimit: { bytes: BODY_BYTES, failure: 'PayloadTooLarge' },
    parse: parseLenientJson,
    pace: ({ holder }, bytes, read) =>
      bytes < LARGE_BODY ? read() : readInTurn(turnsOf(ports.turns, workspaceOf(holder.id)), bytes, read),
    enter: ({ holder }) => ports.admission.enter(holder),
    guard: (asked, operation) => admit(ports, asked, operation),
    beforeParsing: (caller, body) => refuseStranger(ports, caller, body),
  });
  const serve = serveBy(find);
  const shown = (asked: Asked): string => shownAddress(find(asked.path));
  const failing = (own: Serve): Serve => answerFailures(own, { ...ports, shown });
  const usual = failing(serve);
  const special = new Map<string, Serve>([
    ['pixel', withHeaders(failing(alwaysPixel(serve, log, shown)), NOT_STORED)],
    ['token', withHeaders(failing(formErrors(serve)), NOT_STORED)],
    ['projects', failing(withHeaders(serve, { 'Cache-Control': settingsCaching(publicUrl) }))],
  ]);
  const known = firstSegments(document);
  return (request, response) => {
    const asked = new PlainRequest(request);
    const address = addressOf(asked.path, known);
    if (address === undefined) return false;
    asked.path = address;
    void answer(asked, special.get(firstOf(address)) ?? usual, response);
    return true;
  };
}

const NOT_STORED = { 'Cache-Control': 'no-store' } as const;

/** Nothing that is served throws: a failure is an answer. */
async function answer(asked: PlainRequest, serve: Serve, response: ServerResponse): Promise<void> {
  const answered = asked.method === 'OPTIONS' ? preflight(asked) : await serve(asked);
  send(response, answered, originHeaders(asked));
}

/** Monitors ask with HEAD whether an address is there, also where only a POST does something. */
function serveBy(find: ReturnType<typeof createAddresses>): Serve {
  return async (asked) => {
    const { method, path } = asked;
    const found = find(path);
    if (found !== undefined && method === 'HEAD') return EMPTY;
    const served = found?.place.get(method.toLowerCase());
    if (found === undefined || served === undefined) throw unknownPath(method, path);
    const body = await served.steps(asked, found.params);
    return body instanceof Uint8Array ? { status: 200, type: served.answerType, body } : jsonAnswer(200, body);
  };
}

interface Failing extends Pick<IngestionPorts, 'stopping' | 'log'> {
  readonly shown: (asked: Asked) => string;
}

/** While the router stops, requests that still come on open connections are sent elsewhere (CFG-20). */
function answerFailures(serve: Serve, { stopping, log, shown }: Failing): Serve {
  return async (asked) => {
    try {
      refuseWhen(stopping);
      return await serve(asked);
    } catch (thrown) {
      const error = failureOf(thrown, log, { method: asked.method, path: shown(asked) });
      return jsonAnswer(error.status, bodyOf(error), headersOf(error));
    }
  };
}

/** Open operations ignore keys in the header and the query; elsewhere such a key is looked up before the body is read. */
async function admit(ports: IngestionPorts, asked: Asked, { isOpen }: Operation): Promise<Caller> {
  const { directory, clock, addresses, unknownKeys } = ports;
  const receivedAt = clock.now();
  const keys = isOpen ? [] : keysBeforeBody(asked);
  try {
    const source = keys.length === 0 ? undefined : await sourceOf(directory, keys);
    if (source !== undefined) ports.quotas?.refuseFull(workspaceOf(source.name));
    return callerOf(asked, { source, keys, receivedAt, addresses });
  } catch (error) {
    // Its body is read as every other: a malformed or oversize one is refused whatever its key.
    if (unknownKeys === undefined || !(error instanceof UnknownWriteKey)) throw error;
    return { ...callerOf(asked, { source: undefined, keys, receivedAt, addresses }), unknownKey: error.key };
  }
}

/** So much is parsed of anybody; of more, a key in it is looked up first (SAFE-1). */
const STRANGERS_BYTES = 16_384;

function refuseStranger(
  { directory, unknownKeys }: IngestionPorts,
  { source }: Caller,
  body: Buffer,
): Promise<unknown> | undefined {
  if (source !== undefined || body.length <= STRANGERS_BYTES) return undefined;
  // Where unknown keys are accepted, whoever names one is no stranger.
  const keys = keysInText(body);
  return unknownKeys === undefined || keys.length === 0 ? sourceOf(directory, keys) : undefined;
}

function keysBeforeBody(asked: Asked): readonly string[] {
  const inHeader = keysInHeader(asked.get('authorization'));
  const inQuery = asked.querystring === '' ? undefined : keyIn(queryOf(asked.querystring));
  return inHeader.length > 0 || inQuery === undefined ? inHeader : [inQuery];
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
