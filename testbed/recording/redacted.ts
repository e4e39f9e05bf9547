import type { Header } from '../receiver/received.ts';
import { SCHEMES } from '../schemes/schemes.ts';
import type { Scheme } from '../schemes/scheme.ts';
import type { Recorded } from './recording.ts';

const REPLACED = '[redacted]';
/** Headers, query parameters and fields of a body by these names hold credentials. */
const CREDENTIAL = /authorization|cookie|token|secret|password|passwd|api[-_]?key|access[-_]?key|write[-_]?key/i;
const SIGNATURES = new Set(
  Object.values<Scheme>(SCHEMES).flatMap(({ headers }) => headers.map((name) => name.toLowerCase())),
);
const ALSO_SIGNATURES = /signature|hmac/i;

/**
 * A recorded request that can be kept with the tests: what is a credential by its name is replaced, and so is every
 * occurrence of the secrets. Signatures are replaced too; `signedAnew` makes new ones.
 */
export function redacted(recorded: Recorded, secrets: readonly string[] = []): Recorded {
  const { path, headers, body } = recorded;
  return {
    ...recorded,
    path: withoutSecrets(withoutParameters(path), secrets),
    headers: headers.map(([name, value]): Header => [
      name,
      isCredential(name) ? REPLACED : withoutSecrets(value, secrets),
    ]),
    body: redactedBody(body, secrets),
  };
}

/** Whether a header carries a signature, of any scheme. */
export function isSignature(name: string): boolean {
  return SIGNATURES.has(name.toLowerCase()) || ALSO_SIGNATURES.test(name);
}

/** Whether a header, a parameter or a field by this name holds a credential; signatures are. */
export function isCredential(name: string): boolean {
  return isSignature(name) || CREDENTIAL.test(name);
}

function withoutSecrets(text: string, secrets: readonly string[]): string {
  const spelled = secrets.filter((secret) => secret !== '').flatMap(spellings);
  return spelled.reduce((kept, secret) => kept.replaceAll(secret, REPLACED), text);
}

/** As it stands in JSON, in addresses and in tokens. */
function spellings(secret: string): readonly string[] {
  const bytes = Buffer.from(secret);
  const json = JSON.stringify(secret).slice(1, -1);
  const all = [secret, json, encodeURIComponent(secret), bytes.toString('base64'), bytes.toString('hex')];
  return [...new Set(all)];
}

function withoutParameters(path: string): string {
  return path.replaceAll(/([?&])([^=&#]*)=([^&#]*)/g, (whole, mark: string, name: string) =>
    isCredential(name) ? `${mark}${name}=${encodeURIComponent(REPLACED)}` : whole,
  );
}

/** Bytes stay as they are where there is nothing to replace: another spelling of the same JSON would be another body. */
function redactedBody(body: Uint8Array, secrets: readonly string[]): Uint8Array {
  const text = textIn(body);
  if (text === undefined) return body;
  const plain = withoutSecrets(text, secrets);
  const fields = withoutFields(plain);
  return fields === text ? body : Buffer.from(fields);
}

function withoutFields(text: string): string {
  const found = { any: false };
  const replace = (name: string, value: unknown): unknown => {
    if (typeof value !== 'string' || value === REPLACED || !CREDENTIAL.test(name)) return value;
    found.any = true;
    return REPLACED;
  };
  try {
    const value: unknown = JSON.parse(text, replace);
    return found.any ? JSON.stringify(value) : text;
  } catch {
    return text;
  }
}

function textIn(body: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body);
  } catch {
    return undefined;
  }
}
