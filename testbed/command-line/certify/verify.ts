import { createPublicKey, type KeyObject } from 'node:crypto';
import { join } from 'node:path';
import { CertifyError } from '../../certify/certify-error.ts';
import { canonicalBytes, verifyStatement, type Verification } from '../../certify/statement.ts';
import { SUBJECTS } from '../../certify/subject.ts';
import { findingOf, tally } from '../../certify/verdicts.ts';
import { makeFolder, readText, writeText } from './files.ts';
import type { VerifyOptions } from './options.ts';

type Genuine = Extract<Verification, { readonly valid: true }>;

/** Checks a statement without any network, tells what it says, and answers the exit code. */
export function runVerify({ file, publicKey, openssl, json }: VerifyOptions): number {
  const trusted = publicKey === undefined ? undefined : publicKeyIn(publicKey);
  const verification = verifyStatement(readText(file), trusted);
  if (!verification.valid) {
    if (json) console.log(JSON.stringify({ kind: 'verification', ...verification }));
    else console.log(`${file} is not genuine: ${verification.reason}`);
    return 1;
  }
  const { statement, fingerprint } = verification;
  if (json) console.log(JSON.stringify({ kind: 'verification', valid: true, statement, fingerprint }));
  else tell(file, verification, trusted !== undefined);
  if (openssl !== undefined) writeParts(openssl, verification, json);
  return 0;
}

function tell(file: string, { statement, fingerprint }: Genuine, isTrusted: boolean): void {
  const { noun, found, unseen } = SUBJECTS[statement.kind];
  const who = noun === 'receiver' ? statement.url : `the sender to ${statement.url}`;
  const details = [tally(statement.results, unseen).join(', '), statement.engine]
    .filter((text) => text !== '')
    .join('; ');
  console.log(
    `${file} is genuine: at ${statement.startedAt}, ${who} ${found[findingOf(statement.results)]} (${details}).`,
  );
  const maker = isTrusted
    ? 'It was made with the key that you trust'
    : 'Who made it is not known: give --public-key to check that';
  console.log(`${maker} (fingerprint ${fingerprint}).`);
}

/** The signed bytes, the signature and the key, each in a file of its own, as openssl takes them. */
function writeParts(folder: string, { statement, signature, key }: Genuine, isQuiet: boolean): void {
  makeFolder(folder);
  const at = (name: string): string => join(folder, name);
  writeText(at('statement.bytes'), canonicalBytes(statement));
  writeText(at('statement.sig'), signature);
  writeText(at('statement.pem'), key.export({ format: 'pem', type: 'spki' }));
  if (isQuiet) return;
  console.log(`Check it without this tool, in ${folder}:`);
  console.log(
    '  openssl pkeyutl -verify -pubin -inkey statement.pem -rawin -in statement.bytes -sigfile statement.sig',
  );
}

function publicKeyIn(file: string): KeyObject {
  const pem = readText(file);
  try {
    return createPublicKey(pem);
  } catch (error) {
    throw new CertifyError(`${file} holds no public key in PEM; make one with openssl pkey -pubout`, { cause: error });
  }
}
