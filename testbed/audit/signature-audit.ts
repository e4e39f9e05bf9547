import { diagnose } from '../../client/webhooks/doctor.ts';
import { verify } from '../../client/webhooks/signature.ts';
import { headerOf } from '../receiver/received.ts';
import { nameOf, type Observed, type Violation } from './observed.ts';

/** A search for mistakes takes a moment: after so many the rest is only counted as not valid. */
const DIAGNOSED = 3;

/** Every request whose signature is not that of the secret, with what the doctor says (HOOK-5); without one, unsigned (HOOK-6). */
export async function auditSignatures(
  observed: readonly Observed[],
  secret: string | undefined,
): Promise<readonly Violation[]> {
  if (secret === undefined) {
    const signed = observed.filter((each) => headerOf(each, 'x-signature') !== undefined);
    return signed.map((each) => ({
      rule: 'unsigned-without-secret',
      words: `${nameOf(each)} is signed, and there is no secret`,
    }));
  }
  const checked = await Promise.all(observed.map(async (each) => ({ each, isValid: await isSigned(each, secret) })));
  const invalid = checked.filter(({ isValid }) => !isValid).map(({ each }) => each);
  return Promise.all(invalid.map(async (each, index) => complaintAbout(each, index < DIAGNOSED ? secret : undefined)));
}

async function isSigned(each: Observed, secret: string): Promise<boolean> {
  return verify({ body: each.body, signature: headerOf(each, 'x-signature'), secret });
}

async function complaintAbout(each: Observed, secret: string | undefined): Promise<Violation> {
  const signature = headerOf(each, 'x-signature');
  const what = signature === undefined ? 'is not signed' : 'has a signature that is not valid';
  const diagnosis = secret === undefined ? undefined : await diagnose({ body: each.body, signature, secret });
  const why = diagnosis === undefined || diagnosis.verdict === 'valid' ? '' : `: ${diagnosis.text}`;
  return { rule: 'signature', words: `${nameOf(each)} ${what}${why}` };
}
