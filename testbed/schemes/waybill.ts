import { diagnose } from '../../client/webhooks/doctor.ts';
import { MISTAKES } from '../../client/webhooks/mistake.ts';
import { sign, verify } from '../../client/webhooks/signature.ts';
import { headerOf } from '../receiver/received.ts';
import type { Arrived, Scheme, WrongSignature } from './scheme.ts';
import { checkSecret } from './secret.ts';
import { checkStandard, isPublic, isStandardSigned, signingOf, textOfDiagnosis } from './standard-webhooks.ts';

/**
 * `X-Signature`, and `webhook-signature` beside it or instead of it. Each kind that a request has must be right: of `X-Signature`
 * and `X-Signature-Next` one, and of the entries of `webhook-signature` one, since a rotation signs with two secrets.
 */
export const WAYBILL: Scheme = {
  name: 'waybill',
  title: 'Waybill',
  headers: ['X-Signature', 'webhook-signature'],
  places: { id: [{ field: 'messageId' }], withoutId: 'unknown', type: [{ field: 'type' }] },
  wayOutUnsigned: MISTAKES['no-signature'][1],
  faultOfSecret: (secret, use) =>
    use === 'sign' && isPublic(secret)
      ? 'is a public key (whpk_), which only checks; give the value of the destination’s sharedSecret'
      : undefined,
  ...signingOf('x-signature', () => WAYBILL),
  async check(request, secret) {
    checkSecret('The secret', secret, WAYBILL, 'check');
    const hex = hexOf(request);
    const standard = await checkStandard(request, secret);
    if (typeof standard === 'object') return standard;
    if (hex.length === 0) return standard;
    return (await isHex(request, hex, secret)) ? 'valid' : wrongHex(request, hex[0] ?? '', secret);
  },
  isSigned: (request) => hexOf(request).length > 0 || isStandardSigned(request),
};

function hexOf(request: Pick<Arrived, 'headers'>): string[] {
  return ['x-signature', 'x-signature-next'].flatMap((name) => headerOf(request, name) ?? []);
}

async function isHex({ body }: Arrived, hex: readonly string[], secret: string): Promise<boolean> {
  if (isPublic(secret)) return false;
  const checks = await Promise.all(hex.map((signature) => verify({ body, signature, secret })));
  return checks.includes(true);
}

function wrongHex({ body }: Arrived, seen: string, secret: string): WrongSignature {
  return {
    header: 'X-Signature',
    seen,
    expected: async () => (isPublic(secret) ? '' : sign(secret, body)),
    diagnosis: async () => textOfDiagnosis(await diagnose({ body, signature: seen, secret })),
  };
}
