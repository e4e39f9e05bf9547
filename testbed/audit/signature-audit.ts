import type { Scheme, SignatureCheck } from '../schemes/scheme.ts';
import { checkSecret } from '../schemes/secret.ts';
import { isSignedAnyhow, otherScheme, unsignedText, type SchemeChoice, schemeOf } from '../schemes/schemes.ts';
import { refuseNothing } from './not-judged.ts';
import { nameOf, type Observed, type Violation } from './observed.ts';

/** A search for mistakes takes a moment: after so many the rest is only counted as not valid. */
const DIAGNOSED = 3;

/**
 * Every request whose signature is not that of the secret, of either kind, with what the doctor says (HOOK-5, HOOK-22); without
 * one, unsigned (HOOK-6).
 */
export async function auditSignatures(
  observed: readonly Observed[],
  secret: string | undefined,
  choice?: SchemeChoice,
): Promise<readonly Violation[]> {
  refuseNothing(observed);
  const given = choice === undefined ? undefined : schemeOf(choice);
  const schemeFor = (each: Observed): Scheme => given ?? each.scheme;
  if (secret === undefined) {
    return observed
      .filter((each) => isSignedAnyhow(each, schemeFor(each)))
      .map((each) => ({
        rule: 'unsigned-without-secret',
        words: `${nameOf(each)} is signed, and there is no secret`,
      }));
  }
  for (const scheme of new Set(observed.map(schemeFor))) checkSecret('The secret', secret, scheme, 'check');
  const checked = await Promise.all(
    observed.map(async (each) => ({ each, check: await schemeFor(each).check(each, secret) })),
  );
  const wrong = checked.filter(({ check }) => check !== 'valid');
  return Promise.all(
    wrong.map(async ({ each, check }, index) => {
      const diagnosis = index < DIAGNOSED ? await diagnosisOf(each, check, secret, schemeFor(each)) : '';
      return complaintAbout(each, check, diagnosis, schemeFor(each));
    }),
  );
}

async function diagnosisOf(each: Observed, check: SignatureCheck, secret: string, scheme: Scheme): Promise<string> {
  return typeof check === 'string' ? otherScheme(each, secret, scheme) : check.diagnosis();
}

function complaintAbout(each: Observed, check: SignatureCheck, diagnosis: string, scheme: Scheme): Violation {
  if (typeof check === 'string') {
    const words = diagnosis === '' ? unsignedText(scheme) : diagnosis;
    return { rule: 'signature', words: `${nameOf(each)} is not signed: ${words}` };
  }
  const why = diagnosis === '' ? '' : `: ${diagnosis}`;
  return { rule: 'signature', words: `${nameOf(each)} has a signature that is not valid${why}` };
}
