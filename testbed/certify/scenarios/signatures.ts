import { createHmac } from 'node:crypto';
import type { PostRequest } from '../../../server/ports/transport.ts';
import type { Courier, Message } from '../courier.ts';
import { accepted, rejected, wantAccepted, wantRejected } from '../expectations.ts';
import { withDigest, withSignature } from '../forgery.ts';
import { alteredBody } from '../given-event.ts';
import { failed, type Judgment, ofSignature, ofWaybill, passed, type Scenario, skipped } from '../scenario.ts';

const UNSAFE = 'Requests that are not signed with the shared secret are answered 401.';

const HOUR = 3_600_000;

interface Forgery extends Pick<Scenario, 'notFor'> {
  readonly id: string;
  readonly what: string;
  readonly forge: (courier: Courier, message: Message) => PostRequest;
}

/** Of a request of the sender, only what is in its signature's header is changed. */
function resigned(id: string, what: string, change: (value: string) => string | undefined): Forgery {
  return { id, what, forge: (courier, message) => withSignature(courier.requestFor(message), courier.scheme, change) };
}

function redigested(id: string, what: string, change: (digest: string) => string): Forgery {
  return { id, what, forge: (courier, message) => withDigest(courier.requestFor(message), courier.scheme, change) };
}

/** Of `X-Signature`, another digest of the body. */
function hexOf(id: string, what: string, digest: (body: Uint8Array) => string): Forgery {
  const forge: Forgery['forge'] = (courier, message) => {
    const request = courier.requestFor(message);
    return withSignature(request, courier.scheme, () => digest(request.body));
  };
  return { id, what, forge, notFor: ofSignature };
}

/** The body is not the one that was signed. */
function altered(id: string, what: string, body: (sent: Uint8Array) => Uint8Array): Forgery {
  const forge: Forgery['forge'] = (courier, message) => {
    const request = courier.requestFor(message);
    return { ...request, body: body(request.body) };
  };
  return { id, what, forge };
}

/** The signature of another body. */
function signatureOfBody(id: string, what: string, other: (courier: Courier) => Uint8Array): Forgery {
  const forge: Forgery['forge'] = (courier, { body }) => ({ ...courier.requestOf(other(courier)), body });
  return { id, what, forge };
}

/** Requests that nobody but the sender's owner could have sent, were they what they pretend to be. */
const FORGERIES: readonly Forgery[] = [
  resigned('missing', 'a request without a signature', () => undefined),
  resigned('empty', 'a request with an empty signature', () => ''),
  {
    id: 'wrong-secret',
    what: 'a request signed with another secret',
    // With a prefix and in base64, for schemes whose secrets are.
    forge: (courier, { id, body }) =>
      courier.requestOf(body, { id, secret: 'whsec_bm90LXRoZS1zZWNyZXQtb2YtdGhlLXJlY2VpdmVy' }),
  },
  hexOf('no-secret', 'a request signed with no secret at all', (body) =>
    createHmac('sha1', '').update(body).digest('hex'),
  ),
  resigned('nonsense', 'a request with a signature that is no digest', () => 'valid'),
  redigested('zeros', 'a request with a signature of zeros', (digest) => digest.replaceAll(/[^=]/g, '0')),
  redigested('beginning', 'a request with only the beginning of its signature', (digest) => digest.slice(0, 8)),
  redigested(
    'beginning-right',
    'a request whose signature begins well',
    (digest) => digest.slice(0, 20) + digest.slice(20).replaceAll(/[^=]/g, (letter) => (letter === 'f' ? 'e' : 'f')),
  ),
  redigested('longer', 'a request with something behind its signature', (digest) => `${digest}00`),
  altered('altered-body', 'a request whose body was altered on its way', alteredBody),
  {
    ...altered('altered-user', 'a request that was turned to another user', (sent) =>
      replaced(sent, '"userId":"certify"', '"userId":"somebody"'),
    ),
    notFor: ofWaybill,
  },
  signatureOfBody('other-message', 'a request with the signature of another message', (courier) =>
    alteredBody(courier.message().body),
  ),
  signatureOfBody('empty-body', 'a request with the signature of an empty body', () => new Uint8Array()),
  hexOf('sha256', 'a request signed with SHA-256 and another secret', (body) =>
    createHmac('sha256', 'x').update(body).digest('hex'),
  ),
  {
    id: 'old',
    what: 'a request that was signed an hour ago',
    notFor: ({ scheme }) => (scheme.toleranceSeconds === undefined ? `${scheme.title} signs no timestamp` : undefined),
    forge: (courier, { id, body }) => courier.requestOf(body, { id, at: Date.now() - HOUR }),
  },
];

export const SIGNATURE_SCENARIOS: readonly Scenario[] = [
  ...FORGERIES.map(({ id, what, forge, notFor }): Scenario => ({
    id: `signature-${id}`,
    title: `${what.replace(/^a/, 'A')} is rejected`,
    expects: UNSAFE,
    ...(notFor === undefined ? {} : { notFor }),
    run: async (courier) => wantRejected(courier, what, forge(courier, courier.message())),
  })),
  {
    id: 'signature-replayed',
    title: 'A signature that was seen before does not open the door for another body',
    expects: UNSAFE,
    run: async (courier) => {
      const request = courier.requestFor(courier.message());
      await courier.send(request);
      const forged = { ...request, body: alteredBody(request.body) };
      return wantRejected(courier, 'another body with the signature of an earlier request', forged);
    },
  },
  {
    id: 'signature-unhandled',
    title: 'Nothing is done about requests that are not signed as they ought to be',
    expects: 'Anybody can send them: check the signature first, and handle the event after that.',
    run: wantUnhandled,
  },
  {
    id: 'signature-white-space',
    title: 'A body with other white space than the signed one',
    expects: 'Signatures are best checked over the raw bytes. Receivers that write the JSON again work too.',
    run: async (courier) => {
      const request = courier.requestFor(courier.message());
      const body = Buffer.from(` ${Buffer.from(request.body).toString('utf8')}`);
      const answer = await courier.send({ ...request, body });
      if (answer.outcome !== 'delivered') return rejected('a body with more white space', answer);
      return {
        verdict: 'advice',
        words: 'it was accepted: the body is written again before it is checked; take the raw bytes',
      };
    },
  },
  {
    id: 'signature-header-case',
    title: 'Names of headers are read in any case',
    expects: 'HTTP does not tell upper from lower case in them, and proxies change it.',
    run: async (courier) => {
      const request = courier.requestFor(courier.message());
      const headers = Object.fromEntries(
        Object.entries(request.headers).map(([name, value]) => [name.toLowerCase(), value]),
      );
      return accepted('a request with its headers in lower case', await courier.send({ ...request, headers }));
    },
  },
  {
    id: 'signature-utf8',
    title: 'Letters beyond ASCII are accepted',
    expects: 'The signature is over the UTF-8 bytes of the body.',
    notFor: ofWaybill,
    run: async (courier) =>
      wantAccepted(courier, 'a body in many scripts', { event: 'Größe ✓ 漢字 🎉', traits: { name: 'Åsa' } }),
  },
];

/** An answer of 401 does not tell what was done before it: only an observer does. */
async function wantUnhandled(courier: Courier): Promise<Judgment> {
  const forgeries = FORGERIES.filter(({ notFor }) => notFor?.(courier) === undefined);
  for (const { what, forge } of forgeries) {
    const message = courier.message();
    await courier.send(forge(courier, message));
    const handled = await courier.handled(message.id);
    if (handled === undefined) return skipped('whether a forged request is handled was not observed');
    if (handled > 0) return failed(`${what} was handled; check the signature before that`);
  }
  return passed(`none of ${forgeries.length} forged requests was handled`);
}

function replaced(body: Uint8Array, from: string, to: string): Uint8Array {
  return Buffer.from(Buffer.from(body).toString('utf8').replace(from, to));
}
