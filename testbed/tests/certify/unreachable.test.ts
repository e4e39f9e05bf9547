/**
 * What certifies sends broken bodies on purpose: receivers have to refuse them.
 * @module-tag broken-bodies
 */
import { expect, test } from 'vitest';
import { certify, hasPassed, type Result } from '../../certify/certify.ts';
import { unreachable } from '../../certify/unreachable.ts';
import { createReceiver } from '../../index.ts';
import { good, receiver, SECRET } from '../support/receivers.ts';
import { serve } from '../support/served.ts';

test('a receiver that is not there is told at once, and is no verdict', async () => {
  const gone = await serve(() => undefined);
  await gone[Symbol.asyncDispose]();
  const seen: Result[] = [];
  const run = certify({
    url: `${gone.url}/hooks?token=t0ken`,
    secret: SECRET,
    onResult: (result) => seen.push(result),
  });
  await expect(run).rejects.toThrow(`Nobody listens at ${gone.url}; start the receiver first, or give another URL`);
  expect(seen).toEqual([]);
});

test('a certificate that is not trusted is told at once, with the way out', async () => {
  await using seeing = await createReceiver({ secret: SECRET, tls: 'self-signed' });
  await expect(certify({ url: seeing.url, secret: SECRET })).rejects.toThrow(
    `The certificate of ${seeing.url} is not trusted; start Node with NODE_EXTRA_CA_CERTS=<the file of its authority>`,
  );
});

test.each([
  ['connect_refused', 'Nobody listens at https://h.test:8443; '],
  ['connect_timeout', 'There is no connection to https://h.test:8443 in time; '],
  ['dns_error', 'The name h.test leads nowhere; look at its spelling'],
  ['blocked_address', 'The name h.test leads to an address beyond this machine; allow that with --allow-remote'],
  ['tls_expired', 'The certificate of https://h.test:8443 has run out; renew it'],
  ['tls_other', 'There is no TLS handshake with https://h.test:8443; '],
] as const)('%s is told with the way out, and without the query', (outcome, words) => {
  const told = unreachable(outcome, 'https://h.test:8443/hooks?token=t0ken');
  expect(told).toContain(words);
  expect(told).not.toContain('t0ken');
});

test('what was answered, or might have been, is no reason to ask no more', () => {
  for (const outcome of ['delivered', 'http_4xx', 'first_byte_timeout', 'reset', 'protocol_error'] as const)
    expect(unreachable(outcome, 'https://h.test/')).toBeUndefined();
});

test('a receiver that answers nothing fails, and is not waited for forty times', async () => {
  await using silent = await serve((request) => void request.resume());
  const results = await certify({ url: silent.url, secret: SECRET, deadlineMs: 100 });
  expect(results.map(({ id, verdict }) => `${id} ${verdict}`)).toEqual([
    'kind-track failed',
    'kind-identify failed',
    'kind-page failed',
  ]);
  expect(hasPassed(results)).toBe(false);
});

test('a receiver that ends in the middle fails what comes after it', async () => {
  const served = await serve(receiver(good));
  const results = await certify({
    url: served.url,
    secret: SECRET,
    onResult: ({ id }) => void (id === 'kind-identify' && served[Symbol.asyncDispose]()),
  });
  expect(results.length).toBeGreaterThan(40);
  expect(results.at(-1)).toMatchObject({ verdict: 'failed', words: expect.stringContaining('nobody listens there') });
});
