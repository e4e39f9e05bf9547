import { diagnose } from './doctor.ts';
import type { Diagnosis } from './doctor.ts';
import { parse } from './parse.ts';
import type { WebhookEvent } from './parse.ts';
import { verify } from './signature.ts';

export interface WebhookOptions {
  /** The destination's `sharedSecret`; several while one replaces another, and then each of them is taken. */
  readonly secret: string | readonly string[];
  /** Called for each event. When it throws, the answer is 500, and the router tries again. */
  readonly onEvent: (event: WebhookEvent) => void | Promise<void>;
  /** Called for a kind that this version does not know; the answer is 200 either way. */
  readonly onUnknown?: (body: Readonly<Record<string, unknown>>) => void | Promise<void>;
  /** Called for what was turned away: an explanation without secrets, for the log. */
  readonly onRejected?: (rejection: Rejection) => void;
  /** Called for what `onEvent` threw; with `nodeWebhook` also for a request that broke off. */
  readonly onError?: (error: unknown) => void;
  /** Bodies over this many bytes are answered 413; default 1 MiB, and events are never over 64 KB. */
  readonly limitBytes?: number;
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

export interface WebhookRequest {
  /** The bytes as they came. */
  readonly body: Uint8Array | string;
  /** `X-Signature`. */
  readonly signature: string | null | undefined;
}

export const LIMIT_BYTES = 1_048_576;
export const TOO_LARGE: WebhookAnswer = { status: 413, text: 'the body is too large' };

/**
 * What to answer to a webhook request: verified, parsed and handled. 401 and 400 are final for the router, which does
 * not send the event again; 500 makes it try again.
 */
export async function handleWebhook(request: WebhookRequest, options: WebhookOptions): Promise<WebhookAnswer> {
  const secrets = secretsOf(options);
  const checks = await Promise.all(secrets.map(async (secret) => verify({ ...request, secret })));
  if (!checks.includes(true)) return rejectSignature(request, secrets, options);
  const parsed = parse(request.body);
  if (parsed.kind === 'invalid') return reject(options, { status: 400, reason: parsed.problem });
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
  const { onRejected } = options;
  const missing = request.signature === null || request.signature === undefined || request.signature === '';
  const reason = missing ? 'the signature is missing' : 'the signature is not valid';
  if (onRejected === undefined) return { status: 401, text: reason };
  return reject(options, { status: 401, reason, diagnosis: await diagnose({ ...request, secret, otherSecrets }) });
}

/** For adapters: what is wrong with the options shows when they are made, and not at the first event. */
export function checkOptions(options: WebhookOptions): void {
  secretsOf(options);
  const given = typeof options.onEvent;
  if (given !== 'function') throw new TypeError(`The option onEvent must be a function, got: ${given}`);
}

/** Throws for no secret at all: without one everybody could send events. */
function secretsOf({ secret }: Pick<WebhookOptions, 'secret'>): readonly string[] {
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
