import { MISTAKES } from '../../client/webhooks/mistake.ts';
import type { SignatureCheck } from '../schemes/scheme.ts';
import { isSignedAnyhow, type SchemeChoice, schemeOf } from '../schemes/schemes.ts';
import { nameOf, type Observed, type Violation } from './observed.ts';

/** A search for mistakes takes a moment: after so many the rest is only counted as not valid. */
const DIAGNOSED = 3;

const UNSIGNED = MISTAKES['no-signature'].join('; ');

/**
 * Every request whose signature is not that of the secret, of either kind, with what the doctor says (HOOK-5, HOOK-22); without
 * one, unsigned (HOOK-6).
 */
export async function auditSignatures(
  observed: readonly Observed[],
  secret: string | undefined,
  choice?: SchemeChoice,
): Promise<readonly Violation[]> {
  const scheme = schemeOf(choice);
  if (secret === undefined) {
    return observed
      .filter((each) => isSignedAnyhow(each, scheme))
      .map((each) => ({
        rule: 'unsigned-without-secret',
        words: `${nameOf(each)} is signed, and there is no secret`,
      }));
  }
  const checked = await Promise.all(observed.map(async (each) => ({ each, check: await scheme.check(each, secret) })));
  const wrong = checked.filter(({ check }) => check !== 'valid');
  return Promise.all(wrong.map(async ({ each, check }, index) => complaintAbout(each, check, index < DIAGNOSED)));
}

async function complaintAbout(each: Observed, check: SignatureCheck, isDiagnosed: boolean): Promise<Violation> {
  if (typeof check === 'string') return { rule: 'signature', words: `${nameOf(each)} is not signed: ${UNSIGNED}` };
  const diagnosis = isDiagnosed ? await check.diagnosis() : '';
  const why = diagnosis === '' ? '' : `: ${diagnosis}`;
  return { rule: 'signature', words: `${nameOf(each)} has a signature that is not valid${why}` };
}
