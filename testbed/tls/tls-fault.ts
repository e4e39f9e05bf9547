import type { TlsOptions } from 'node:tls';
import { type CertificateWish, createIdentity, type Identity } from './certificate.ts';

/** What can be wrong with a TLS server, besides nothing. */
export const TLS_FAULTS = [
  'none',
  'self-signed',
  'expired',
  'not-yet-valid',
  'wrong-host',
  'unknown-ca',
  'unknown-ca-sent-along',
  'missing-intermediate',
  'issuer-is-no-authority',
  'forged-signature',
  'old-version',
  'other-protocol',
  'handshake-stall',
  'handshake-reset',
  'no-tls',
] as const;
export type TlsFault = (typeof TLS_FAULTS)[number];

/** Faults of a connection on which no handshake is ever done. */
export type Unshaken = 'handshake-stall' | 'handshake-reset' | 'no-tls';

/** How the authority calls itself. */
export const AUTHORITY = 'Testbed Authority';

const DAY_MS = 86_400_000;

/** An authority that a client under test is told to trust. */
export function createAuthority(now: number, name = AUTHORITY): Identity {
  return createIdentity({ name, authority: true, ...year(now) });
}

/** How a server is set up to have the fault, for a client that trusts the authority; its right host is `localhost`. */
export function tlsOptionsOf(fault: Exclude<TlsFault, Unshaken>, authority: Identity, now: number): TlsOptions {
  const leaf = (wish: Partial<CertificateWish> = {}): Identity =>
    createIdentity({ name: 'localhost', hosts: ['localhost', '127.0.0.1'], issuer: authority, ...year(now), ...wish });
  const other = (issuer?: Identity): Identity => createIdentity(authorityWish(now, issuer));
  switch (fault) {
    case 'none':
      return served(leaf());
    case 'self-signed':
      return served(createIdentity({ name: 'localhost', hosts: ['localhost', '127.0.0.1'], ...year(now) }));
    case 'expired':
      return served(leaf({ validFrom: now - 2 * DAY_MS, validTo: now - DAY_MS }));
    case 'not-yet-valid':
      return served(leaf({ validFrom: now + DAY_MS, validTo: now + 2 * DAY_MS }));
    case 'wrong-host':
      return served(leaf({ name: 'other.test', hosts: ['other.test'] }));
    case 'unknown-ca':
      return served(leaf({ issuer: other() }));
    case 'unknown-ca-sent-along':
      return sentAlong(other(), leaf);
    case 'missing-intermediate':
      return served(leaf({ issuer: other(authority) }));
    case 'issuer-is-no-authority':
      return sentAlong(leaf({ name: 'customer.test' }), leaf);
    case 'forged-signature':
      return served(leaf({ issuer: { ...other(), name: authority.name } }));
    case 'old-version':
      return { ...served(leaf()), minVersion: 'TLSv1', maxVersion: 'TLSv1', ciphers: 'DEFAULT@SECLEVEL=0' };
    case 'other-protocol':
      return { ...served(leaf()), ALPNProtocols: ['h2'] };
  }
}

function served({ certificate, key }: Identity): TlsOptions {
  return { cert: certificate, key };
}

function sentAlong(issuer: Identity, leaf: (wish: Partial<CertificateWish>) => Identity): TlsOptions {
  const { certificate, key } = leaf({ issuer });
  return { cert: certificate + issuer.certificate, key };
}

function authorityWish(now: number, issuer?: Identity): CertificateWish {
  return { name: 'Another Authority', authority: true, ...year(now), ...(issuer === undefined ? {} : { issuer }) };
}

function year(now: number): Pick<CertificateWish, 'validFrom' | 'validTo'> {
  return { validFrom: now - DAY_MS, validTo: now + 365 * DAY_MS };
}
