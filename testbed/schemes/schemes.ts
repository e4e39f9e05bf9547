import { nearest } from '../../server/nearest.ts';
import { headerOf } from '../receiver/received.ts';
import { GITHUB } from './github.ts';
import type { Arrived, Scheme, SignatureCheck } from './scheme.ts';
import { SHOPIFY } from './shopify.ts';
import { SLACK } from './slack.ts';
import { STANDARD_WEBHOOKS } from './standard-webhooks.ts';
import { STRIPE } from './stripe.ts';
import { TWILIO } from './twilio.ts';
import { WAYBILL } from './waybill.ts';

/** Every scheme that has a name. */
export const SCHEMES = {
  waybill: WAYBILL,
  'standard-webhooks': STANDARD_WEBHOOKS,
  stripe: STRIPE,
  github: GITHUB,
  slack: SLACK,
  shopify: SHOPIFY,
  twilio: TWILIO,
} as const satisfies Record<string, Scheme>;

export type SchemeName = keyof typeof SCHEMES;

/** By its name, or one of one's own, from `custom`. */
export type SchemeChoice = SchemeName | Scheme;

/** Throws a TypeError for a name that is none. */
export function schemeOf(choice: SchemeChoice = 'waybill'): Scheme {
  return typeof choice === 'object' ? choice : SCHEMES[schemeNamed(choice)];
}

/** Throws a TypeError for a name that is none. */
export function schemeNamed(text: string): SchemeName {
  if (isName(text)) return text;
  const names = Object.keys(SCHEMES);
  const guess = nearest(text, names);
  const wayOut = guess === undefined ? `give one of ${names.join(', ')}, or custom` : `did you mean ${guess}?`;
  throw new TypeError(`The option scheme is ${JSON.stringify(text)}; ${wayOut}`);
}

function isName(text: string): text is SchemeName {
  return Object.hasOwn(SCHEMES, text);
}

/** Whether a request has a signature of this scheme, or of any that has a name. */
export function isSignedAnyhow(request: Pick<Arrived, 'headers'>, scheme: Scheme): boolean {
  return [scheme, ...Object.values<Scheme>(SCHEMES)].some((one) => one.isSigned(request));
}

/** Whose scheme a request is signed by, when it is not the expected one. */
export function signedByOther(request: Pick<Arrived, 'headers'>, expected: Scheme): Scheme | undefined {
  if (expected.isSigned(request)) return undefined;
  // What Standard Webhooks expects, Waybill may send beside its own: it is named by its own name.
  return Object.values<Scheme>(SCHEMES).find((one) => one.name !== expected.name && one.isSigned(request));
}

/** What else is known of a request that has no signature of its scheme; for people, without secrets. */
export async function otherScheme(request: Arrived, secret: string, expected: Scheme): Promise<string> {
  const found = signedByOther(request, expected);
  if (found === undefined) return '';
  const check = await found.check(request, secret);
  const words = `${found.headers.find((name) => headerOf(request, name) !== undefined) ?? found.headers[0]} came: this is how ${found.title} signs; give the scheme ${found.name}`;
  const why = await reasonOf(check);
  return why === '' ? words : `${words}. And ${why}`;
}

async function reasonOf(check: SignatureCheck): Promise<string> {
  return typeof check === 'string' ? '' : check.diagnosis();
}

/** What to do about a request without any signature, by the scheme that was expected. */
export function unsignedText({ title, headers, wayOutUnsigned }: Scheme): string {
  const names = headers.join(' or ');
  const wayOut = wayOutUnsigned ?? `set the secret at ${title}, and see that no proxy drops ${names}`;
  return `no signature came (${names}); ${wayOut}`;
}
