import { joined } from '../bytes.ts';
import type { SenderForm, Written } from './form.ts';
import { FIVE_MINUTES } from './header-form.ts';

/** `Stripe-Signature: t=<seconds>,v1=<hex>`; while a secret is replaced, with a `v1` for each. */
export const STRIPE = {
  headers: ['Stripe-Signature'],
  algorithm: 'SHA-256',
  encoding: 'hex',
  toleranceSeconds: FIVE_MINUTES,
  read: (headerOf) => readItems(headerOf('Stripe-Signature') ?? ''),
  content: ({ timestamp, body }) => joined([`${timestamp}.`, body]),
} as const satisfies SenderForm;

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
