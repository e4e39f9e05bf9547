import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, sign, verify } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { CertifyError } from './certify-error.ts';
import type { Result } from './certify.ts';
import { isStatementKind } from './subject.ts';

interface Found {
  readonly version: 1;
  readonly url: string;
  /** How the requests were signed; as Waybill does when absent. */
  readonly scheme?: string;
  /** What sent the requests, as it names itself to receivers. */
  readonly engine: string;
  readonly startedAt: string;
  readonly passed: boolean;
  readonly results: readonly Pick<Result, 'id' | 'verdict' | 'words'>[];
}

interface ReceiverStatement extends Found {
  readonly kind: 'waybill-receiver-certificate';
  /** SHA-256 of the contract document, in hex. */
  readonly contract: string;
}

interface SenderStatement extends Found {
  readonly kind: 'waybill-sender-certificate';
  /** What passed between the attempts of an event that failed again and again, in milliseconds. */
  readonly waitsMs: readonly number[];
}

/** What was found, as it is signed. */
export type Statement = ReceiverStatement | SenderStatement;

/** A statement with an ed25519 signature over its JSON, and the key to check it with. */
export interface SignedStatement {
  readonly statement: Statement;
  readonly algorithm: 'ed25519';
  /** SPKI in base64. */
  readonly publicKey: string;
  /** Over the UTF-8 bytes of JSON.stringify(statement); base64. */
  readonly signature: string;
}

export type Verification =
  | {
      readonly valid: true;
      readonly statement: Statement;
      readonly fingerprint: string;
      readonly signature: Uint8Array;
      readonly key: KeyObject;
    }
  | { readonly valid: false; readonly reason: string };

/** A key of its own for one certificate: it proves that nothing was altered, not who made it. */
export function throwAwayKey(): KeyObject {
  return generateKeyPairSync('ed25519').privateKey;
}

const HOW_TO_MAKE_ONE = 'make one with openssl genpkey -algorithm ed25519';

/** A private ed25519 key from PEM; throws a CertifyError for another kind of key, and for what is none. */
export function privateKeyIn(pem: string): KeyObject {
  const key = keyIn(pem);
  if (key.asymmetricKeyType === 'ed25519') return key;
  throw new CertifyError(`The key is of the kind ${key.asymmetricKeyType ?? 'unknown'}; ${HOW_TO_MAKE_ONE}`);
}

function keyIn(pem: string): KeyObject {
  try {
    return createPrivateKey(pem);
  } catch (error) {
    throw new CertifyError(`The file holds no private key in PEM; ${HOW_TO_MAKE_ONE}`, { cause: error });
  }
}

export function signStatement(statement: Statement, privateKey: KeyObject): SignedStatement {
  const publicKey = spkiOf(createPublicKey(privateKey)).toString('base64');
  const signature = sign(null, canonicalBytes(statement), privateKey).toString('base64');
  return { statement, algorithm: 'ed25519', publicKey, signature };
}

/** Checks a certificate offline. With a trusted key it also proves who made it. */
export function verifyStatement(text: string, trusted?: KeyObject): Verification {
  try {
    const signed: unknown = JSON.parse(text);
    if (!isSigned(signed)) return { valid: false, reason: 'it is no signed statement of this tool' };
    const key = createPublicKey({ key: Buffer.from(signed.publicKey, 'base64'), format: 'der', type: 'spki' });
    if (trusted !== undefined && fingerprintOf(trusted) !== fingerprintOf(key))
      return { valid: false, reason: `it was made with another key, whose fingerprint is ${fingerprintOf(key)}` };
    const signature = Buffer.from(signed.signature, 'base64');
    const isValid = verify(null, canonicalBytes(signed.statement), key, signature);
    if (!isValid) return { valid: false, reason: 'its signature does not belong to what it says: it was altered' };
    return { valid: true, statement: signed.statement, fingerprint: fingerprintOf(key), signature, key };
  } catch (error) {
    return { valid: false, reason: `it cannot be read: ${error instanceof Error ? error.message : String(error)}` };
  }
}

/** SHA-256 of a public key, shortened for people. */
export function fingerprintOf(publicKey: KeyObject): string {
  return createHash('sha256').update(spkiOf(publicKey)).digest('hex').slice(0, 16);
}

function spkiOf(publicKey: KeyObject): Buffer {
  return publicKey.export({ format: 'der', type: 'spki' });
}

/**
 * The bytes that are signed: compact JSON in UTF-8, keys in the order of the statement. Parsing keeps that order, so that
 * what is read back gives the same bytes.
 */
export function canonicalBytes(statement: Statement): Uint8Array {
  return Buffer.from(JSON.stringify(statement), 'utf8');
}

function isSigned(value: unknown): value is SignedStatement {
  if (typeof value !== 'object' || value === null) return false;
  if (!('statement' in value && 'publicKey' in value && 'signature' in value)) return false;
  const { statement, publicKey, signature } = value;
  if (typeof publicKey !== 'string' || typeof signature !== 'string') return false;
  return (
    typeof statement === 'object' &&
    statement !== null &&
    'kind' in statement &&
    isStatementKind(statement.kind) &&
    'results' in statement &&
    Array.isArray(statement.results) &&
    statement.results.every((result: unknown) => typeof result === 'object' && result !== null && 'verdict' in result)
  );
}
