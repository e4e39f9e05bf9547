import { joined } from '../bytes.ts';
import type { SenderForm } from './form.ts';

/** The parameter of the URL that names a body which is no form. */
export const BODY_HASH = 'bodySHA256';

/**
 * `X-Twilio-Signature: <base64>`, HMAC-SHA-1 over the URL, and after it over the fields of a form, sorted; any other body is
 * known by its hash in the URL.
 */
export const TWILIO = {
  headers: ['X-Twilio-Signature'],
  algorithm: 'SHA-1',
  encoding: 'base64',
  signsUrl: true,
  read: (headerOf) => ({ digests: [headerOf('X-Twilio-Signature') ?? ''] }),
  content: ({ url, body, contentType, hash }) => {
    if (isForm(contentType)) return joined([url, sortedFields(body)]);
    return new URL(url).searchParams.get(BODY_HASH) === hash ? joined([url]) : undefined;
  },
} as const satisfies SenderForm;

export function isForm(contentType: string): boolean {
  return /^application\/x-www-form-urlencoded\s*(?:;|$)/i.test(contentType);
}

/** Names and values without anything between them; of a repeated field each value once, sorted. */
function sortedFields(body: Uint8Array): string {
  const fields = new URLSearchParams(new TextDecoder('utf-8', { ignoreBOM: true }).decode(body));
  const names = [...new Set(fields.keys())].toSorted(byCodeUnits);
  return names
    .flatMap((name) => [...new Set(fields.getAll(name))].toSorted(byCodeUnits).map((value) => `${name}${value}`))
    .join('');
}

function byCodeUnits(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
