import { decoded } from '../digest-text.ts';
import { hmac, plainHash } from '../digests.ts';
import { equalInConstantTime, headerText, toBytes, toHex } from '../signature.ts';
import { MAX_SIGNATURES, requireTime } from '../standard.ts';
import { type Content, isOld, type SenderForm, type Written } from './form.ts';
import { formOf, type HeaderForm } from './header-form.ts';
import { SENDERS, type SenderName } from './senders.ts';

export interface SenderRequest {
  /** Who sends: one of these, or how the headers of another one are made. */
  readonly sender: SenderName | HeaderForm;
  /** As they came: of Node, an object with any case of names, or `Headers`. */
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The body exactly as it came in: bytes, or their text in UTF-8. */
  readonly body: Uint8Array | string;
  /** The value that the sender shows; several while one replaces another. */
  readonly secret: string | readonly string[];
  /** The whole URL that the sender calls, with its query: Twilio signs it, and your proxy may have changed it. */
  readonly url?: string | undefined;
  /** Milliseconds since 1970; default the clock of the machine. */
  readonly now?: number | undefined;
}

export type SenderVerdict =
  | { readonly valid: true }
  | { readonly valid: false; readonly reason: 'missing' | 'malformed' | 'too old' | 'mismatch' };

/**
 * Whether a request of another sender is signed with this secret, and recently where its signature has a time. Web Crypto alone.
 * Throws a TypeError for what can verify nothing. Who follows Standard Webhooks is verified by `verifyStandard`.
 */
export async function verifySender(request: SenderRequest): Promise<SenderVerdict> {
  const form = formNamed(request.sender);
  const secrets = secretsIn(request);
  const url = urlFor(form, request);
  const { now = Date.now() } = request;
  requireTime(now);
  const body = toBytes(request.body);
  const headerOf = headersOf(request.headers);
  if (headerOf(form.headers[0]) === undefined) return invalid('missing');
  const written = form.read(headerOf);
  if (written === undefined) return invalid('malformed');
  if (isOld(form, written, now)) return invalid('too old');
  const { timestamp = '' } = written;
  const hash = form.signsUrl === true ? toHex(await plainHash('SHA-256', body)) : '';
  const parts = { url, body, hash, contentType: headerOf('content-type') ?? '', timestamp };
  const isSigned = await matches(form, parts, written, secrets);
  return isSigned ? { valid: true } : invalid('mismatch');
}

async function matches(form: SenderForm, parts: Content, written: Written, secrets: readonly string[]) {
  const content = form.content === undefined ? parts.body : form.content(parts);
  if (content === undefined) return false;
  const given = written.digests.slice(0, MAX_SIGNATURES).flatMap((text) => decoded(text, form.encoding) ?? []);
  for (const secret of secrets) {
    const digest = await hmac(form.algorithm, toBytes(secret), content);
    if (given.some((one) => equalInConstantTime(one, digest))) return true;
  }
  return false;
}

function formNamed(sender: SenderRequest['sender']): SenderForm {
  if (typeof sender === 'object') return formOf(sender);
  if (Object.hasOwn(SENDERS, sender)) return SENDERS[sender];
  const names = Object.keys(SENDERS).join(', ');
  throw new TypeError(
    `The sender is ${JSON.stringify(sender)}; give one of ${names}, or the form of its header. Others follow Standard Webhooks: use verifyStandard`,
  );
}

function secretsIn({ secret }: SenderRequest): readonly string[] {
  const secrets = [secret].flat();
  if (secrets.length > 0 && secrets.every((one) => typeof one === 'string' && one !== '')) return secrets;
  throw new TypeError('The secret is empty; give the value that the sender shows');
}

function urlFor({ signsUrl }: SenderForm, { url = '' }: SenderRequest): string {
  if (signsUrl !== true || URL.canParse(url)) return url;
  throw new TypeError(`The url is ${JSON.stringify(url)}, and this sender signs it: give the whole URL that it calls`);
}

function headersOf(headers: SenderRequest['headers']): (name: string) => string | undefined {
  if (headers instanceof Headers) return (name) => headers.get(name) ?? undefined;
  const known = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  return (name) => headerText(known.get(name.toLowerCase()));
}

function invalid(reason: (SenderVerdict & { valid: false })['reason']): SenderVerdict {
  return { valid: false, reason };
}
