/**
 * What certifies sends broken bodies on purpose: receivers have to refuse them.
 * @module-tag broken-bodies
 */
import type { RequestListener } from 'node:http';
import { expect, test } from 'vitest';
import { certify, type Result } from '../../certify/certify.ts';
import { scenariosFor } from '../../certify/scenarios/all.ts';
import { SCHEMES } from '../../schemes/index.ts';
import { unreachable } from '../../certify/unreachable.ts';
import { findingOf } from '../../certify/verdicts.ts';
import { createReceiver } from '../../index.ts';
import { good, receiver, SECRET, UNAUTHORIZED } from '../support/receivers.ts';
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

test.each([
  ['that is not there', 'http://127.0.0.1:1', 'did not answer with JSON'],
  ['that tells no count', undefined, 'answered no {"handled": <number>}'],
])('an observer %s is told at once, and is no verdict', async (_what, elsewhere, words) => {
  await using served = await serve(receiver(good));
  await using mute = await serve((_request, response) => void response.end('{}'));
  const observer = elsewhere ?? mute.url;
  const seen: Result[] = [];
  const run = certify({ url: served.url, secret: SECRET, observer, onResult: (result) => seen.push(result) });
  await expect(run).rejects.toThrow(`The observer ${observer}/ ${words}; give another URL, or leave --observer out`);
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

const IDS = scenariosFor({ scheme: SCHEMES.waybill, isGiven: false }).map(({ scenario }) => scenario.id);
const REFUSING: readonly (readonly [what: string, listener: RequestListener])[] = [
  ['answers nothing', (request) => void request.resume()],
  ['answers 404 to all', receiver(() => () => ({ status: 404 }))],
  ['has another secret', receiver(() => () => UNAUTHORIZED)],
];

test.each(REFUSING)(
  'a receiver that %s fails for that one cause, and nothing else is judged',
  async (_what, listener) => {
    let requests = 0;
    await using served = await serve((request, response) => {
      requests += 1;
      listener(request, response);
    });
    const seen: string[] = [];
    const onResult = ({ id }: Result): void => void seen.push(id);
    const results = await certify({ url: served.url, secret: SECRET, deadlineMs: 1_000, onResult });
    expect([requests, seen]).toEqual([1, IDS]);
    const [first, ...others] = results;
    expect(first).toMatchObject({ id: 'kind-track', verdict: 'failed' });
    const told = new Set(others.map(({ verdict, words }) => `${verdict}, ${words}`));
    expect([...told]).toEqual(['not-judged, not judged: the first event was not accepted']);
    expect(findingOf(results)).toBe('not-judged');
  },
);

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
