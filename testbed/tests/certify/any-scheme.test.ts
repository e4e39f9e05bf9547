/**
 * What certifies sends broken bodies on purpose: receivers have to refuse them.
 * @module-tag broken-bodies
 */
import { createHmac } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { certify, type CertifyOptions } from '../../certify/certify.ts';
import { findingOf } from '../../certify/verdicts.ts';
import { GROUPS, scenariosFor } from '../../certify/scenarios/all.ts';
import { headerOf } from '../../receiver/received.ts';
import { arrivalOf } from '../../receiver/recorder.ts';
import { custom, SCHEMES } from '../../schemes/index.ts';
import type { Arrived, Scheme } from '../../schemes/scheme.ts';
import { serve } from '../support/served.ts';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const EVENT = { id: 'evt_1', type: 'invoice.paid', amount: 4_200 };
const { github, stripe } = SCHEMES;
const standard = SCHEMES['standard-webhooks'];

interface Answer {
  readonly status: number;
  readonly text?: string;
}

type Decide = (arrived: Arrived) => Promise<Answer> | Answer;

const OK = { status: 200 };
const UNAUTHORIZED = { status: 401 };

function listener(decide: Decide): RequestListener {
  return (request, response) => {
    const act = async (): Promise<void> => {
      const { status, text = '' } = await decide(arrivalOf(request, await buffer(request), Date.now()));
      response.writeHead(status).end(text);
    };
    act().catch(() => request.socket.destroy());
  };
}

/** Signed, and JSON: what is checked first decides the answer. */
function good(scheme: Scheme): Decide {
  return async (arrived) => {
    if ((await scheme.check(arrived, SECRET)) !== 'valid') return UNAUTHORIZED;
    return isJson(arrived.body) ? OK : { status: 400 };
  };
}

function isJson(body: Uint8Array): boolean {
  try {
    return typeof JSON.parse(Buffer.from(body).toString('utf8')) === 'object';
  } catch {
    return false;
  }
}

async function failedBy(decide: Decide, options: Partial<CertifyOptions> = {}): Promise<readonly string[]> {
  await using served = await serve(listener(decide));
  const results = await certify({ url: `${served.url}/hooks`, secret: SECRET, event: EVENT, ...options });
  return results.filter(({ verdict }) => verdict === 'failed').map(({ id }) => id);
}

const ACME = custom({ header: 'X-Acme', algorithm: 'SHA-512', encoding: 'base64', timestamp: { header: 'X-Acme-At' } });

test.each([...Object.values(SCHEMES), ACME])('a good receiver of $name webhooks passes', async (scheme) => {
  expect(await failedBy(good(scheme), { scheme })).toEqual([]);
});

function header(arrived: Arrived, name: string): string {
  return headerOf(arrived, name) ?? '';
}

function hex(secret: string, body: string | Uint8Array): string {
  return createHmac('sha256', secret).update(body).digest('hex');
}

const FLAWED: readonly (readonly [what: string, scheme: Scheme, caughtBy: string, decide: Decide])[] = [
  ['accepts nothing', github, 'given-event', () => ({ status: 404 })],
  ['checks nothing', github, 'signature-missing', (arrived) => (isJson(arrived.body) ? OK : { status: 400 })],
  [
    'wants a signature, whatever it says',
    github,
    'signature-nonsense',
    (arrived) => (header(arrived, 'x-hub-signature-256') === '' ? UNAUTHORIZED : OK),
  ],
  [
    'compares the beginning alone',
    github,
    'signature-beginning-right',
    (arrived) =>
      header(arrived, 'x-hub-signature-256').slice(0, 20) === `sha256=${hex(SECRET, arrived.body)}`.slice(0, 20)
        ? OK
        : UNAUTHORIZED,
  ],
  [
    'answers 500 where a signature is wrong',
    github,
    'signature-wrong-secret',
    async (arrived) => ((await github.check(arrived, SECRET)) === 'valid' ? OK : { status: 500 }),
  ],
  [
    'tells the signature that it expected',
    github,
    'signature-wrong-secret',
    async (arrived) =>
      (await github.check(arrived, SECRET)) === 'valid'
        ? OK
        : { ...UNAUTHORIZED, text: `expected sha256=${hex(SECRET, arrived.body)}` },
  ],
  [
    'tells the signature of Standard Webhooks that it expected',
    standard,
    'signature-wrong-secret',
    async (arrived) => {
      const check = await standard.check(arrived, SECRET);
      if (check === 'valid') return OK;
      return { ...UNAUTHORIZED, text: typeof check === 'object' ? `expected ${await check.expected()}` : '' };
    },
  ],
  [
    'does not look at the timestamp',
    stripe,
    'signature-old',
    async (arrived) => {
      const at = Number(/t=(\d+)/.exec(header(arrived, 'stripe-signature'))?.[1] ?? 0) * 1000;
      return (await stripe.check({ ...arrived, at }, SECRET)) === 'valid' ? OK : UNAUTHORIZED;
    },
  ],
  [
    'checks its own copy of an event by the id',
    stripe,
    'signature-altered-body',
    (arrived) => {
      const [, at = '', digest = ''] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(header(arrived, 'stripe-signature')) ?? [];
      if (Date.now() / 1000 - Number(at) > 300) return UNAUTHORIZED;
      const { id } = Object(isJson(arrived.body) ? JSON.parse(Buffer.from(arrived.body).toString('utf8')) : {});
      return seen(at, digest, String(id)) ? OK : UNAUTHORIZED;
    },
  ],
  ['compares the whole header', standard, 'rotation-previous', standardBy((text, own) => text === own)],
  ['reads the first signature alone', standard, 'rotation-next', standardBy((text, own) => text.split(' ')[0] === own)],
  [
    'reads the last signature alone',
    standard,
    'rotation-previous',
    standardBy((text, own) => text.split(' ').at(-1) === own),
  ],
  [
    'takes several signatures for granted',
    standard,
    'rotation-neither',
    standardBy((text, own) => text.includes(' ') || text === own),
  ],
  // As where the items of the header are read into an object: the last of a name is left.
  ['keeps the last v1', stripe, 'rotation-previous', stripeBy((digests) => digests.slice(-1))],
  ['keeps the first v1', stripe, 'rotation-next', stripeBy((digests) => digests.slice(0, 1))],
  [
    'does not take a body that is no object for an error of the sender',
    github,
    'malformed',
    async (arrived) => {
      if ((await github.check(arrived, SECRET)) !== 'valid') return UNAUTHORIZED;
      return isJson(arrived.body) ? OK : { status: 500 };
    },
  ],
];

/** With a comparison of its own of the header with the one signature that it expects, where that is not empty. */
function standardBy(isRight: (header: string, own: string) => boolean): Decide {
  return (arrived) => {
    const [id, at] = [header(arrived, 'webhook-id'), header(arrived, 'webhook-timestamp')];
    if (Math.abs(Date.now() / 1000 - Number(at)) > 300) return UNAUTHORIZED;
    const key = Buffer.from(SECRET.slice('whsec_'.length), 'base64');
    const digest = createHmac('sha256', key).update(`${id}.${at}.`).update(arrived.body).digest('base64');
    if (!isRight(header(arrived, 'webhook-signature'), `v1,${digest}`)) return UNAUTHORIZED;
    return isJson(arrived.body) ? OK : { status: 400 };
  };
}

/** Which of the digests in the header it looks at. */
function stripeBy(pick: (digests: readonly string[]) => readonly string[]): Decide {
  return (arrived) => {
    const items = header(arrived, 'stripe-signature').split(',');
    const valuesOf = (key: string) =>
      items.filter((item) => item.startsWith(key)).map((item) => item.slice(key.length));
    const [at = ''] = valuesOf('t=');
    if (Math.abs(Date.now() / 1000 - Number(at)) > 300) return UNAUTHORIZED;
    const own = createHmac('sha256', SECRET).update(`${at}.`).update(arrived.body).digest('hex');
    if (!pick(valuesOf('v1=')).includes(own)) return UNAUTHORIZED;
    return isJson(arrived.body) ? OK : { status: 400 };
  };
}

/** As a receiver that looks up what it has signed itself: nothing of the body but its id counts. */
function seen(at: string, digest: string, id: string): boolean {
  return digest === hex(SECRET, `${at}.${JSON.stringify({ ...EVENT, id })}`);
}

test('a receiver that repeats the signature that came tells nothing', async () => {
  const decide: Decide = async (arrived) => {
    if ((await good(github)(arrived)) === OK) return OK;
    return { ...(await good(github)(arrived)), text: `got ${header(arrived, 'x-hub-signature-256')}` };
  };
  expect(await failedBy(decide, { scheme: github })).toEqual([]);
});

test.each(FLAWED)('a receiver that %s is found', async (_what, scheme, caughtBy, decide) => {
  expect(await failedBy(decide, { scheme })).toContain(caughtBy);
});

const OF_ROTATION = FLAWED.filter(([, , caughtBy]) => caughtBy.startsWith('rotation-'));

test.each(OF_ROTATION)(
  'with a receiver that %s, nothing is wrong but in a rotation',
  async (_what, scheme, _by, decide) => {
    const failed = await failedBy(decide, { scheme });
    expect(failed.filter((id) => !id.startsWith('rotation-'))).toEqual([]);
  },
);

test('what is not asked of receivers of another sender is listed with why, and nothing is left out', async () => {
  const all = GROUPS.flatMap(({ scenarios }) => scenarios.map(({ id }) => id));
  for (const scheme of [stripe, github]) {
    const asked = scenariosFor({ scheme, isGiven: true });
    expect(asked.map(({ scenario }) => scenario.id)).toEqual(['given-event', ...all]);
    const why = Object.fromEntries(asked.map(({ scenario, notAsked }) => [scenario.id, notAsked]));
    expect(why).toMatchObject({
      'kind-track': 'Waybill’s own',
      'unknown-kind': 'Waybill’s own',
      'signature-no-secret': 'Waybill’s own',
      'signature-old': scheme === stripe ? undefined : 'GitHub signs no timestamp',
      'rotation-previous': scheme === stripe ? undefined : 'GitHub signs with one secret at a time',
      'rotation-next': scheme === stripe ? undefined : 'GitHub signs with one secret at a time',
      'rotation-neither': scheme === stripe ? undefined : 'GitHub signs with one secret at a time',
      'signature-missing': undefined,
      'duplicate-later': undefined,
    });
  }
  const own = scenariosFor({ scheme: SCHEMES.waybill, isGiven: false });
  expect(own.map(({ scenario }) => scenario.id)).toEqual(all.filter((id) => id !== 'signature-old'));
  expect(own.filter(({ notAsked }) => notAsked !== undefined)).toEqual([]);
});

test('what is not asked says nothing about the receiver', async () => {
  await using served = await serve(listener(good(github)));
  const results = await certify({ url: served.url, secret: SECRET, scheme: github, event: EVENT });
  expect(results.find(({ id }) => id === 'kind-track')).toMatchObject({
    verdict: 'not-asked',
    words: 'not judged: Waybill’s own',
  });
  expect(findingOf(results)).toBe('passed');
  expect(findingOf(results.filter(({ verdict }) => verdict === 'not-asked'))).toBe('not-judged');
});

test('each event has an id of its own in the header that its sender has for it', async () => {
  const ids = new Set<string>();
  const decide: Decide = (arrived) => {
    ids.add(header(arrived, 'X-GitHub-Delivery'));
    return good(github)(arrived);
  };
  expect(await failedBy(decide, { scheme: github, headers: { 'x-github-delivery': 'saved' } })).toEqual([]);
  expect(ids.size).toBeGreaterThan(40);
  expect(ids).not.toContain('saved');
});

test('each event has an id of its own, in the field that is named', async () => {
  const ids = new Set<unknown>();
  const decide: Decide = (arrived) => {
    if (isJson(arrived.body)) ids.add(Object(JSON.parse(Buffer.from(arrived.body).toString('utf8'))).key);
    return good(github)(arrived);
  };
  expect(await failedBy(decide, { scheme: github, event: { key: 'a' }, idField: 'key' })).toEqual([]);
  expect(ids.size).toBeGreaterThan(40);
});

test.each([
  [{ scheme: stripe, event: undefined }, 'The event is undefined; give it a value, or leave it out'],
  [{ scheme: stripe, idField: 'uuid' }, 'The event has no text in its field "uuid"'],
])('%j is refused before anything is sent', async (options, words) => {
  await expect(failedBy(() => OK, options)).rejects.toThrow(words);
});

test('a sender of others needs an event', async () => {
  await expect(certify({ url: 'http://127.0.0.1:9/', secret: SECRET, scheme: stripe })).rejects.toThrow(
    'Events of Stripe are not known here; give one that the receiver accepts, as event (--event <file>)',
  );
});
