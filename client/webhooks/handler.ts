import { diagnose } from './doctor.ts';
import type { Diagnosis } from './doctor.ts';
import { parse, type Parsed } from './parse.ts';
import type { WebhookEvent } from './parse.ts';
import { type ReceivedSignatures, verifyReceived } from './received.ts';
import { type ReplayGuard, replayGuard } from './replays.ts';
import { diagnoseStandard } from './standard-doctor.ts';
import { faultOfKey, requireTolerance } from './standard.ts';

export interface WebhookOptions {
  /**
   * The destination's `sharedSecret`, or for Ed25519 its public key (`whpk_…`); several while one replaces another, and then
   * each of them is accepted.
   */
  readonly secret: string | readonly string[];
  /**
   * The signature that is required; either one is enough by default. Only with `standard-webhooks` is a copy of an earlier
   * request always recognized: `X-Signature` alone has neither an id nor a time.
   */
  readonly signature?: 'x-signature' | 'standard-webhooks' | undefined;
  /** How far `webhook-timestamp` may be from now, to either side; default 300. */
  readonly toleranceSeconds?: number | undefined;
  /** Where the ids of requests are remembered; in memory by default. */
  readonly replays?: ReplayGuard | undefined;
  /** Called for each event. When it throws, the answer is 500, and the router tries again. */
  readonly onEvent: (event: WebhookEvent) => void | Promise<void>;
  /** Called for a kind that this version does not know; the answer is 200 either way. */
  readonly onUnknown?: ((body: Readonly<Record<string, unknown>>) => void | Promise<void>) | undefined;
  /** Called for what was turned away: an explanation without secrets, for the log. */
  readonly onRejected?: ((rejection: Rejection) => void) | undefined;
  /** Called for what `onEvent` threw; with `nodeWebhook` also for a request that broke off. */
  readonly onError?: ((error: unknown) => void) | undefined;
  /** Bodies over this many bytes are answered 413; default 1 MiB, and events are never over 64 KB. */
  readonly limitBytes?: number | undefined;
}

export interface Rejection {
  readonly status: number;
  readonly reason: string;
  /** For a signature that does not verify: what went wrong. */
  readonly diagnosis?: Diagnosis;
}

export interface WebhookAnswer {
  readonly status: number;
  readonly text: string;
}

export interface WebhookRequest extends ReceivedSignatures {
  /** The bytes as they came. */
  readonly body: Uint8Array | string;
}

export const LIMIT_BYTES = 1_048_576;
export const TOO_LARGE: WebhookAnswer = { status: 413, text: 'the body is too large' };
/** A mistake of the receiver's own, so that the router tries again. */
export const READ_BEFORE = 'the body was read before';

/**
 * What to answer to a webhook request: verified, parsed and handled. 401 and 400 are final for the router, which does
 * not send the event again; 500 and 503 make it try again. Repeats are recognized with the option `replays`, which the
 * adapters have by default.
 */
export async function handleWebhook(request: WebhookRequest, options: WebhookOptions): Promise<WebhookAnswer> {
  const secrets = secretsOf(options);
  const received = await verifyReceived(request, secrets, options);
  if (received === undefined) return rejectSignature(request, secrets, options);
  const parsed = parse(request.body);
  if (parsed.kind === 'invalid') return reject(options, { status: 400, reason: parsed.problem });
  const { replays } = options;
  if (replays === undefined || received.id === undefined) return hand(parsed, options);
  const state = await replays.begin(received.id, received.until);
  if (state === 'done') return { status: 200, text: 'handled before' };
  // The one that is under way may still fail, and then this one is needed.
  if (state === 'busy') return { status: 503, text: 'being handled' };
  let isHandled = false;
  try {
    const answer = await hand(parsed, options);
    isHandled = answer.status === 200;
    return answer;
  } finally {
    // Also when `onError` threw: it is being handled no more.
    await replays.end(received.id, isHandled);
  }
}

async function hand(parsed: Exclude<Parsed, { kind: 'invalid' }>, options: WebhookOptions): Promise<WebhookAnswer> {
  try {
    if (parsed.kind === 'event') await options.onEvent(parsed.event);
    else await options.onUnknown?.(parsed.body);
    return { status: 200, text: 'ok' };
  } catch (error) {
    options.onError?.(error);
    return { status: 500, text: 'the event could not be handled' };
  }
}

export function reject({ onRejected }: WebhookOptions, rejection: Rejection): WebhookAnswer {
  onRejected?.(rejection);
  return { status: rejection.status, text: rejection.reason };
}

/** The answer says only that it is not valid: what is wrong with it is for the receiver's own log. */
async function rejectSignature(
  request: WebhookRequest,
  [secret = '', ...otherSecrets]: readonly string[],
  options: WebhookOptions,
): Promise<WebhookAnswer> {
  const { onRejected, signature: required, toleranceSeconds } = options;
  const { standard, ...hex } = request;
  const isStandard = required === 'standard-webhooks' || (required === undefined && Boolean(standard?.signature));
  const reason = (isStandard ? standard?.signature : hex.signature) ? 'not valid' : 'missing';
  if (onRejected === undefined) return { status: 401, text: `the signature is ${reason}` };
  const diagnosis = isStandard
    ? await diagnoseStandard({ body: hex.body, ...NO_HEADERS, ...standard, secret, otherSecrets, toleranceSeconds })
    : await diagnose({ body: hex.body, signature: hex.signature, secret, otherSecrets });
  return reject(options, { status: 401, reason: `the signature is ${reason}`, diagnosis });
}

const NO_HEADERS = { id: undefined, timestamp: undefined, signature: undefined };

/** For adapters: what is wrong with the options shows when they are made, and not at the first event. */
export function checkOptions<Options extends WebhookOptions>(options: Options): Options {
  for (const secret of secretsOf(options)) requireUsable(secret, options);
  if (options.toleranceSeconds !== undefined) requireTolerance(options.toleranceSeconds);
  if (options.limitBytes !== undefined) requireLimit(options.limitBytes);
  const given = typeof options.onEvent;
  if (given !== 'function') throw new TypeError(`The option onEvent must be a function, got: ${given}`);
  return { ...options, replays: options.replays ?? replayGuard() };
}

/** No body is over what is no number, such as that of a variable that is not set. */
function requireLimit(bytes: unknown): void {
  if (typeof bytes === 'number' && bytes > 0) return;
  throw new TypeError(`The option limitBytes is ${String(bytes)}; give a number of bytes above 0`);
}

/** Programs without types forget them, or give the secret alone. */
function requireOptions(options: unknown): void {
  if (typeof options === 'object' && options !== null) return;
  throw new TypeError(`The options are ${kindOf(options)}; give an object with secret and onEvent: ${EXAMPLE}`);
}

const EXAMPLE = "{ secret: '<sharedSecret of the destination>', onEvent: (event) => { … } }";

/** A public key verifies nothing but Standard Webhooks; what it, or an encoded secret, holds shows here. */
function requireUsable(secret: string, { signature }: Pick<WebhookOptions, 'signature'>): void {
  const isOfStandard = signature === 'standard-webhooks' || secret.startsWith('whpk_');
  if (signature === 'x-signature' && isOfStandard) {
    throw new TypeError(
      'The option secret is a public key (whpk_), and signature is x-signature: that needs the secret itself',
    );
  }
  const fault = isOfStandard ? faultOfKey(secret) : undefined;
  if (fault !== undefined) throw new TypeError(`The option secret ${fault}`);
}

/** Throws for no secret at all: without one everybody could send events. */
function secretsOf(options: Pick<WebhookOptions, 'secret'>): readonly string[] {
  requireOptions(options);
  const { secret } = options;
  const secrets: readonly unknown[] = Array.isArray(secret) ? secret : [secret];
  if (secrets.length > 0 && secrets.every(isSecret)) return secrets;
  const wrong = secrets.length === 0 ? '' : secrets.find((each) => !isSecret(each));
  const seen = wrong === '' ? 'empty' : kindOf(wrong);
  throw new TypeError(`The option secret is ${seen}; give the value of the destination’s \`sharedSecret\``);
}

function isSecret(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

/** Never the value: a secret in bytes is still a secret. */
function kindOf(value: unknown): string {
  return value === undefined || value === null ? String(value) : `of type ${typeof value}`;
}
