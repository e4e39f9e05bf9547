import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { isIPv4 } from 'node:net';
import { bits, explicit, implicit, integer, octets, oid, sequence, set, time, utf8, yes } from './der.ts';

/** A key, and a certificate for it; PEM, as `node:tls` takes them. */
export interface Identity {
  readonly name: string;
  readonly certificate: string;
  readonly key: string;
}

export interface CertificateWish {
  readonly name: string;
  /** Host names and IPv4 addresses that it is for. */
  readonly hosts?: readonly string[];
  /** Whether it may sign others; default no. */
  readonly authority?: boolean;
  /** Who signs; default itself. */
  readonly issuer?: Identity;
  readonly validFrom: number;
  readonly validTo: number;
}

const ECDSA_WITH_SHA256 = sequence(oid('1.2.840.10045.4.3.2'));
const COMMON_NAME = oid('2.5.4.3');
const ALTERNATIVE_NAMES = oid('2.5.29.17');
const BASIC_CONSTRAINTS = oid('2.5.29.19');

/**
 * Makes a key (P-256) and an X.509 certificate (RFC 5280) for it, in some milliseconds and only from `node:crypto`: none
 * is kept on disk, so that none is ever out of date but those that are meant to be.
 */
export function createIdentity(wish: CertificateWish): Identity {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const key = privateKey.export({ type: 'pkcs8', format: 'pem' });
  const body = toBeSigned(wish, publicKey);
  const signature = sign('sha256', body, wish.issuer?.key ?? key);
  const certificate = sequence(body, ECDSA_WITH_SHA256, bits(signature));
  return { name: wish.name, certificate: pem(certificate), key };
}

function toBeSigned(wish: CertificateWish, publicKey: KeyObject): Buffer {
  const { name, issuer, validFrom, validTo } = wish;
  return sequence(
    explicit(0, integer(Buffer.of(2))), // the third version of X.509
    integer(Buffer.concat([Buffer.of(1), randomBytes(8)])),
    ECDSA_WITH_SHA256,
    distinguished(issuer?.name ?? name),
    sequence(time(validFrom), time(validTo)),
    distinguished(name),
    publicKey.export({ type: 'spki', format: 'der' }),
    explicit(3, sequence(...extensions(wish))),
  );
}

function extensions({ hosts = [], authority = false }: CertificateWish): Buffer[] {
  const constraints = sequence(BASIC_CONSTRAINTS, yes(), octets(authority ? sequence(yes()) : sequence()));
  if (hosts.length === 0) return [constraints];
  return [constraints, sequence(ALTERNATIVE_NAMES, octets(sequence(...hosts.map(alternativeName))))];
}

function alternativeName(host: string): Buffer {
  if (isIPv4(host)) return implicit(7, Buffer.from(host.split('.').map(Number)));
  return implicit(2, Buffer.from(host, 'ascii'));
}

function distinguished(name: string): Buffer {
  return sequence(set(sequence(COMMON_NAME, utf8(name))));
}

function pem(der: Buffer): string {
  const lines = der.toString('base64').replaceAll(/.{64}/g, '$&\n').trimEnd();
  return `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`;
}
