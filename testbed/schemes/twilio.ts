import { createHash } from 'node:crypto';
import { joined } from './bytes.ts';
import { isForm } from './form.ts';
import { hmacScheme } from './hmac-scheme.ts';

const HASH = 'bodySHA256';

/**
 * `X-Twilio-Signature: <base64>`, HMAC-SHA-1 over the URL, and after it over the fields of a form, sorted; any other body is
 * known by its hash in the URL.
 */
export const TWILIO = hmacScheme({
  name: 'twilio',
  title: 'Twilio',
  headers: ['X-Twilio-Signature'],
  places: { id: [{ header: 'I-Twilio-Idempotency-Token' }], withoutId: 'same body', type: [] },
  algorithm: 'SHA-1',
  encoding: 'base64',
  write: (digest) => ({ 'X-Twilio-Signature': digest }),
  read: (headerOf) => ({ digests: [headerOf('X-Twilio-Signature') ?? ''] }),
  content: (content) => {
    if (isForm(content.contentType)) return joined(content.url, sortedFields(content.body));
    return new URL(content.url).searchParams.get(HASH) === hashOf(content.body) ? joined(content.url) : undefined;
  },
  contradicts: `${HASH} of the URL is missing, or is not the SHA-256 of the body in hex`,
  address(unsigned) {
    if (isForm(unsigned.contentType)) return unsigned.url;
    const url = new URL(unsigned.url);
    url.searchParams.set(HASH, hashOf(unsigned.body));
    return url.href;
  },
});

/** Names and values without anything between them; of a repeated field each value once, sorted. */
function sortedFields(body: Uint8Array): string {
  const fields = new URLSearchParams(Buffer.from(body).toString('utf8'));
  const names = [...new Set(fields.keys())].toSorted(byCodeUnits);
  return names
    .flatMap((name) => [...new Set(fields.getAll(name))].toSorted(byCodeUnits).map((value) => `${name}${value}`))
    .join('');
}

function byCodeUnits(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

function hashOf(body: Uint8Array): string {
  return createHash('sha256').update(body).digest('hex');
}
