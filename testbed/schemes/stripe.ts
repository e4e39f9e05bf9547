import { joined } from './bytes.ts';
import type { Written } from './hmac-form.ts';
import { hmacScheme } from './hmac-scheme.ts';

/** `Stripe-Signature: t=<seconds>,v1=<hex>`; while a secret is replaced, with a `v1` for each. */
export const STRIPE = hmacScheme({
  name: 'stripe',
  title: 'Stripe',
  headers: ['Stripe-Signature'],
  places: { id: [{ field: 'id' }], withoutId: 'same body', type: [{ field: 'type' }] },
  algorithm: 'SHA-256',
  encoding: 'hex',
  toleranceSeconds: 300,
  write: (digest, timestamp) => ({ 'Stripe-Signature': `t=${timestamp},v1=${digest}` }),
  writeBoth: (previous, digest, timestamp) => ({ 'Stripe-Signature': `t=${timestamp},v1=${previous},v1=${digest}` }),
  read: (headerOf) => readItems(headerOf('Stripe-Signature') ?? ''),
  content: ({ timestamp, body }) => joined(`${timestamp}.`, body),
});

function readItems(header: string): Written | undefined {
  const items = header.split(',').map((item) => /^(?<key>[^=]*)=(?<value>.*)$/s.exec(item)?.groups);
  const valuesOf = (key: string): string[] =>
    items.flatMap((item) => (item?.['key'] === key ? (item['value'] ?? '') : []));
  const timestamp = valuesOf('t').at(-1);
  const digests = valuesOf('v1');
  return timestamp === undefined || !/^\d+$/.test(timestamp) || digests.length === 0
    ? undefined
    : { timestamp, digests };
}
