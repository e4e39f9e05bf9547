import { BAD, type Call, type Decide, digest, good, isSigned, OK, UNAUTHORIZED } from './receivers.ts';

type Make = (handle: (call: Call) => void) => Decide;

/** Takes what is signed as `isFine` sees it. */
const verifying =
  (isFine: (call: Call) => boolean): Make =>
  (handle) => {
    const inner = good(handle);
    return (call) => (isFine(call) ? inner({ ...call, signature: digest(call.body) }) : UNAUTHORIZED);
  };

/** Receivers that check signatures with one mistake each: their names are the mistakes. */
export const FLAWED_VERIFIERS: Readonly<Record<string, Make>> = {
  'never checks signatures': verifying(() => true),
  'checks a signature only when there is one': verifying((call) => call.signature === '' || isSigned(call)),
  'takes any signature': verifying(({ signature }) => signature !== ''),
  'takes anything of forty characters': verifying(({ signature }) => signature.length === 40),
  'compares only the beginning': verifying(({ body, signature }) => signature.slice(0, 8) === digest(body).slice(0, 8)),
  'looks whether one begins with the other': verifying(
    ({ body, signature }) => signature !== '' && digest(body).startsWith(signature),
  ),
  'takes what begins with the signature': verifying(({ body, signature }) => signature.startsWith(digest(body))),
  'has another secret': verifying(({ body, signature }) => signature === digest(body, 'other')),
  'expects SHA-256': verifying(({ body, signature }) => signature === digest(body, undefined, 'sha256')),
  'expects upper case': verifying(({ body, signature }) => signature === digest(body).toUpperCase()),
  'expects base64': verifying(
    ({ body, signature }) => signature === Buffer.from(digest(body), 'hex').toString('base64'),
  ),
  // As when something else has read the body before: it is empty then, now and again.
  'checks an empty body at times': verifying((call) => isSigned(call) || call.signature === digest('')),
  'reads bodies as Latin-1': verifying(({ body, signature }) => signature === digest(body.toString('latin1'))),
  'reads bodies as ASCII': verifying(
    ({ body, signature }) => signature === digest(body.toString('utf8').replaceAll(/[^\0-\x7f]/g, '?')),
  ),
  'indents bodies before it checks': verifying(
    ({ event, signature }) => signature === digest(JSON.stringify(event, null, 2)),
  ),
  'sorts keys before it checks': verifying(({ event = {}, signature }) => {
    const sorted = Object.fromEntries(Object.entries(event).toSorted(([one], [other]) => (one < other ? -1 : 1)));
    return signature === digest(JSON.stringify(sorted));
  }),
  'checks only the first kilobyte': verifying(({ body, signature }) => signature === digest(body.subarray(0, 1_024))),
  'reads the next signature alone where there is one': verifying(
    ({ body, signature, next }) => (next === '' ? signature : next) === digest(body),
  ),
  'trusts what has a second signature': verifying(
    (call) => isSigned(call) || (call.next !== '' && call.signature !== ''),
  ),
  'breaks when one of two signatures is wrong': (handle) => {
    const inner = good(handle);
    return (call) => (call.next !== '' && call.signature !== digest(call.body) ? { status: 500 } : inner(call));
  },
  'keeps signatures that were good': (handle) => {
    const known = new Set<string>();
    const inner = verifying((call) => {
      if (isSigned(call)) known.add(call.signature);
      return known.has(call.signature);
    });
    return inner(handle);
  },
  'reads the header only as it is spelled': (handle) => {
    const inner = good(handle);
    return (call) => (call.request.rawHeaders.includes('X-Signature') ? inner(call) : UNAUTHORIZED);
  },
  'tells the signature that it expected': (handle) => {
    const inner = good(handle);
    return (call) => (isSigned(call) ? inner(call) : { status: 401, text: `expected ${digest(call.body)}` });
  },
  'breaks on a wrong signature': (handle) => {
    const inner = good(handle);
    return (call) => (isSigned(call) ? inner(call) : { status: 500 });
  },
  'redirects to a login': (handle) => {
    const inner = good(handle);
    return (call) => (isSigned(call) ? inner(call) : { status: 302, headers: { Location: '/login' } });
  },
  'handles before it checks': (handle) => {
    const seen = new Set<unknown>();
    return (call) => {
      if (!seen.has(call.event?.['messageId'])) handle(call);
      seen.add(call.event?.['messageId']);
      if (!isSigned(call)) return UNAUTHORIZED;
      return call.event === undefined ? BAD : OK;
    };
  },
};
