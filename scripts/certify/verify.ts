import { createPublicKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { verifyStatement } from '../../testbed/certify/statement.ts';
import type { VerifyOptions } from './options.ts';

/** Checks a statement without any network, tells what it says, and answers the exit code. */
export function runVerify({ file, publicKey, json }: VerifyOptions): number {
  const trusted = publicKey === undefined ? undefined : createPublicKey(readFileSync(publicKey, 'utf8'));
  const verification = verifyStatement(readFileSync(file, 'utf8'), trusted);
  if (json) console.log(JSON.stringify({ kind: 'verification', ...verification }));
  else if (!verification.valid) console.log(`${file} is not genuine: ${verification.reason}`);
  else {
    const { statement, fingerprint } = verification;
    const verdict = statement.passed ? 'keeps the contract' : 'does not keep the contract';
    console.log(`${file} is genuine: at ${statement.startedAt}, ${statement.url} ${verdict} (${statement.engine}).`);
    const who =
      trusted === undefined
        ? 'Who made it is not known: give --public-key to check that'
        : 'It was made with the key that you trust';
    console.log(`${who} (fingerprint ${fingerprint}).`);
  }
  return verification.valid ? 0 : 1;
}
