import { createHmac } from 'node:crypto';
import type { PostRequest } from '../../../server/ports/transport.ts';
import type { Courier } from '../courier.ts';
import { accepted, rejected, wantAccepted, wantRejected } from '../expectations.ts';
import { failed, type Judgment, passed, type Scenario, skipped } from '../scenario.ts';

const UNSAFE = 'Requests that are not signed with the shared secret are answered 401.';

type Forge = (request: PostRequest, courier: Courier) => PostRequest | Promise<PostRequest>;

/** Requests that nobody but the router's owner could have sent, were they what they pretend to be. */
const FORGERIES: readonly (readonly [id: string, what: string, forge: Forge])[] = [
  ['missing', 'a request without a signature', (request) => signed(request, undefined)],
  ['empty', 'a request with an empty signature', (request) => signed(request, '')],
  [
    'wrong-secret',
    'a request signed with another secret',
    (request, courier) => signed(request, courier.sign(request.body, 'not-the-secret')),
  ],
  [
    'no-secret',
    'a request signed with no secret at all',
    (request) => signed(request, createHmac('sha1', '').update(request.body).digest('hex')),
  ],
  ['nonsense', 'a request with a signature that is no digest', (request) => signed(request, 'valid')],
  ['zeros', 'a request with a signature of zeros', (request) => signed(request, '0'.repeat(40))],
  [
    'beginning',
    'a request with only the beginning of its signature',
    (request, courier) => signed(request, courier.sign(request.body).slice(0, 8)),
  ],
  [
    'beginning-right',
    'a request whose signature begins well',
    (request, courier) => signed(request, courier.sign(request.body).slice(0, 20) + 'f'.repeat(20)),
  ],
  [
    'longer',
    'a request with something behind its signature',
    (request, courier) => signed(request, `${courier.sign(request.body)}00`),
  ],
  [
    'altered-body',
    'a request whose body was altered on its way',
    (request) => ({ ...request, body: replaced(request.body, 'Certified', 'Corrupted') }),
  ],
  [
    'altered-user',
    'a request that was turned to another user',
    (request) => ({ ...request, body: replaced(request.body, '"userId":"certify"', '"userId":"somebody"') }),
  ],
  [
    'other-message',
    'a request with the signature of another message',
    (request, courier) => signed(request, courier.sign(courier.requestFor(courier.event()).body)),
  ],
  [
    'empty-body',
    'a request with the signature of an empty body',
    (request, courier) => signed(request, courier.sign(new Uint8Array())),
  ],
  [
    'sha256',
    'a request signed with SHA-256 and another secret',
    (request) => signed(request, createHmac('sha256', 'x').update(request.body).digest('hex')),
  ],
];

export const SIGNATURE_SCENARIOS: readonly Scenario[] = [
  ...FORGERIES.map(([id, what, forge]): Scenario => ({
    id: `signature-${id}`,
    title: `${what.replace(/^a/, 'A')} is rejected`,
    expects: UNSAFE,
    run: async (courier) => wantRejected(courier, what, await forge(courier.requestFor(courier.event()), courier)),
  })),
  {
    id: 'signature-replayed',
    title: 'A signature that was seen before does not open the door for another body',
    expects: UNSAFE,
    run: async (courier) => {
      const request = courier.requestFor(courier.event());
      await courier.send(request);
      const forged = { ...courier.requestFor(courier.event()), headers: request.headers };
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
      const request = courier.requestFor(courier.event());
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
    expects: 'HTTP does not tell x-signature from X-Signature, and proxies change it.',
    run: async (courier) => {
      const request = courier.requestFor(courier.event());
      const headers = Object.fromEntries(
        Object.entries(request.headers).map(([name, value]) => [name.toLowerCase(), value]),
      );
      return accepted('a request with x-signature in lower case', await courier.send({ ...request, headers }));
    },
  },
  {
    id: 'signature-utf8',
    title: 'Letters beyond ASCII are accepted',
    expects: 'The signature is over the UTF-8 bytes of the body.',
    run: async (courier) =>
      wantAccepted(courier, 'a body in many scripts', { event: 'Größe ✓ 漢字 🎉', traits: { name: 'Åsa' } }),
  },
];

/** An answer of 401 does not tell what was done before it: only an observer does. */
async function wantUnhandled(courier: Courier): Promise<Judgment> {
  for (const [, what, forge] of FORGERIES) {
    const event = courier.event();
    await courier.send(await forge(courier.requestFor(event), courier));
    const handled = await courier.handled(event.messageId);
    if (handled === undefined) return skipped('whether a forged request is handled was not observed');
    if (handled > 0) return failed(`${what} was handled; check the signature before that`);
  }
  return passed(`none of ${FORGERIES.length} forged requests was handled`);
}

function signed(request: PostRequest, signature: string | undefined): PostRequest {
  const { 'X-Signature': _right, ...headers } = request.headers;
  return { ...request, headers: signature === undefined ? headers : { ...headers, 'X-Signature': signature } };
}

function replaced(body: Uint8Array, from: string, to: string): Uint8Array {
  return Buffer.from(Buffer.from(body).toString('utf8').replace(from, to));
}
