import { decoded, encoded } from '../../client/webhooks/digest-text.ts';
import { isOld } from '../../client/webhooks/senders/form.ts';
import { equalInConstantTime } from '../../client/webhooks/signature.ts';
import { headerOf } from '../receiver/received.ts';
import { diagnoseHmac } from './hmac-doctor.ts';
import { contentOf, contentsOf, digestOf, type HmacForm } from './hmac-form.ts';
import type { Arrived, Scheme, Signature, SignatureCheck, Unsigned } from './scheme.ts';
import { checkSecret } from './secret.ts';

export function hmacScheme(form: HmacForm): Scheme {
  const { name, title, headers, places, toleranceSeconds, write, writeBoth } = form;
  const isSigned = (request: Pick<Arrived, 'headers'>): boolean => headerOf(request, headers[0]) !== undefined;
  return {
    name,
    title,
    headers,
    places,
    ...(toleranceSeconds === undefined ? {} : { toleranceSeconds }),
    isSigned,
    sign(request, secret) {
      checkSecret('The secret', secret, form, 'sign');
      return signed(form, request, (digestBy, timestamp) => write(digestBy(secret), timestamp));
    },
    ...(writeBoth === undefined
      ? {}
      : {
          signBoth(request: Unsigned, secret: string, previous: string) {
            checkSecret('The secret', secret, form, 'sign');
            checkSecret('The previous secret', previous, form, 'sign');
            return signed(form, request, (digestBy, at) => writeBoth(digestBy(previous), digestBy(secret), at));
          },
        }),
    async check(request, secret) {
      checkSecret('The secret', secret, form, 'check');
      return isSigned(request) ? checked(form, request, secret) : 'missing';
    },
  };
}

type Write = (digestBy: (secret: string) => string, timestamp: string) => Signature['headers'];

function signed(form: HmacForm, unsigned: Unsigned, write: Write): Signature {
  const { address, encoding } = form;
  const url = address === undefined ? unsigned.url : address(unsigned);
  const timestamp = String(Math.floor(unsigned.at / 1000));
  const content = contentOf(form, { ...unsigned, url, timestamp });
  if (content === undefined) throw new TypeError(`${url} cannot be signed: it names another body`);
  return { url, headers: write((secret) => encoded(digestOf(form, secret, content), encoding), timestamp) };
}

function checked(form: HmacForm, request: Arrived, secret: string): SignatureCheck {
  const written = form.read((name) => headerOf(request, name));
  const contents = written === undefined ? [] : contentsOf(form, request, written);
  if (written !== undefined && !isOld(form, written, request.at)) {
    const given = written.digests.flatMap((digest) => decoded(digest, form.encoding) ?? []);
    for (const content of contents) {
      const digest = digestOf(form, secret, content);
      if (given.some((one) => equalInConstantTime(one, digest))) return 'valid';
    }
  }
  const [content] = contents;
  return {
    header: form.headers[0],
    seen: written?.digests[0] ?? headerOf(request, form.headers[0]) ?? '',
    expected: async () => (content === undefined ? '' : encoded(digestOf(form, secret, content), form.encoding)),
    diagnosis: async () => diagnoseHmac(form, request, secret),
  };
}
