import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { createAuthority, TLS_FAULTS, type TlsFault } from '../../../testbed/tls/tls-fault.ts';
import { startTlsReceiver } from '../../../testbed/tls/tls-receiver.ts';
import { createAddressGuard } from '../../delivery/address-guard.ts';
import { classOf, type Outcome, outcomeOf } from '../../model/outcome.ts';
import { createUndiciTransport } from '../../delivery/undici-transport.ts';
import type { PostResult, Transport } from '../../ports/transport.ts';

/** Long enough for a handshake on a busy machine; only the stalled ones use it up. */
const DEADLINE_MS = 1_500;
const now = Date.now();
const authority = createAuthority(now);
const system = getCACertificates('default');

const OUTCOMES: { readonly [Fault in TlsFault]: { readonly outcome: Outcome; readonly detail?: RegExp } } = {
  none: { outcome: 'delivered' },
  'self-signed': { outcome: 'tls_untrusted', detail: /^DEPTH_ZERO_SELF_SIGNED_CERT/ },
  expired: { outcome: 'tls_expired', detail: /^CERT_HAS_EXPIRED/ },
  'not-yet-valid': { outcome: 'tls_other', detail: /^CERT_NOT_YET_VALID/ },
  'wrong-host': { outcome: 'tls_other', detail: /^ERR_TLS_CERT_ALTNAME_INVALID/ },
  'unknown-ca': { outcome: 'tls_other', detail: /^UNABLE_TO_VERIFY_LEAF_SIGNATURE/ },
  'unknown-ca-sent-along': { outcome: 'tls_other', detail: /^SELF_SIGNED_CERT_IN_CHAIN/ },
  'missing-intermediate': { outcome: 'tls_other', detail: /^UNABLE_TO_VERIFY_LEAF_SIGNATURE/ },
  'issuer-is-no-authority': { outcome: 'tls_other', detail: /^INVALID_(CA|PURPOSE)/ },
  'forged-signature': { outcome: 'tls_other', detail: /^CERT_SIGNATURE_FAILURE/ },
  'old-version': { outcome: 'tls_other', detail: /PROTOCOL/ },
  'other-protocol': { outcome: 'tls_other', detail: /APPLICATION_PROTOCOL/ },
  'handshake-stall': { outcome: 'connect_timeout', detail: /within 1.5 s/ },
  'handshake-reset': { outcome: 'reset' },
  'no-tls': { outcome: 'tls_other', detail: /WRONG_VERSION_NUMBER|packet length/ },
};

// The transport under test is the one of production: it is the process that trusts the authority.
beforeAll(() => setDefaultCACertificates([...system, authority.certificate]));
afterAll(() => setDefaultCACertificates(system));

let transport: Transport;
beforeEach(() => {
  transport = createUndiciTransport(createAddressGuard(['127.0.0.0/8', '::1/128']), DEADLINE_MS);
});
afterEach(() => transport.close());

function post(url: string): Promise<PostResult> {
  const request = {
    workspace: 'workspaces/main',
    url,
    headers: {},
    body: Buffer.from('{"type":"track"}'),
    deadlineMs: DEADLINE_MS,
  };
  return transport.post(request, new AbortController().signal);
}

test.each(TLS_FAULTS.filter((fault) => fault !== 'none'))(
  'no byte is sent over TLS with the fault %s',
  async (fault) => {
    await using receiver = await startTlsReceiver(fault, authority, now);
    const result = await post(receiver.url);
    const { outcome, detail = /./ } = OUTCOMES[fault];
    expect(outcomeOf(result), JSON.stringify(result)).toBe(outcome);
    expect(result.kind === 'failed' ? result.detail : '').toMatch(detail);
    expect(receiver.connections).toBeGreaterThan(0);
    expect(receiver.decrypted).toBe(0);
  },
);

test('a certificate without fault lets the request through', async () => {
  await using receiver = await startTlsReceiver('none', authority, now);
  expect(outcomeOf(await post(receiver.url))).toBe('delivered');
  expect(receiver.received).toContain('{"type":"track"}');
});

test('HOOK-11: self-signed alone is permanent among TLS faults', () => {
  const permanent = TLS_FAULTS.filter((fault) => classOf(OUTCOMES[fault].outcome) === 'permanent');
  expect(permanent).toEqual(['self-signed']);
});

test('HOOK-11: an environment that trusts everything changes nothing', async () => {
  // Node reads the variable at each handshake, and warns; undici's own default follows it.
  process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';
  try {
    await using receiver = await startTlsReceiver('self-signed', authority, now);
    expect(outcomeOf(await post(receiver.url))).toBe('tls_untrusted');
    expect(receiver.decrypted).toBe(0);
    const careless = await fetch(receiver.url, { method: 'POST', body: '{}' });
    expect(careless.status).toBe(200);
    expect(receiver.decrypted).toBeGreaterThan(0);
  } finally {
    delete process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
  }
});

test('no attempt waits for the handshake of another', async () => {
  await using receiver = await startTlsReceiver('handshake-stall', authority, now);
  const results = await Promise.all([post(receiver.url), post(receiver.url), post(receiver.url)]);
  expect(results.map(outcomeOf)).toEqual(Array(3).fill('connect_timeout'));
  expect(receiver.connections).toBe(3);
});
