import { expect, test } from 'vitest';
import { custom, type Scheme, SCHEMES, signedRequest } from '../../schemes/index.ts';
import type { Arrived } from '../../schemes/scheme.ts';

const AT = 1_700_000_000_000;
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const BODY = '{"id":1,"name":"Å"}\n';

interface Sending {
  readonly scheme: Scheme;
  readonly secret?: string;
  readonly body?: string;
  readonly at?: number;
  readonly url?: string;
}

/** A request that was signed so, as it came to a receiver that got this body. */
async function arrived({ scheme, secret = SECRET, body = BODY, at = AT, url }: Sending): Promise<Arrived> {
  const sent = signedRequest({ scheme, secret, url: 'https://shop.example/hooks', body, at });
  const headers = Object.entries({ ...sent.headers, Host: 'shop.example' });
  const { pathname, search } = new URL(url ?? sent.url);
  return { at: AT, path: pathname + search, headers, body: Buffer.from(BODY) };
}

async function diagnosis(scheme: Scheme, request: Arrived, secret = SECRET): Promise<string> {
  const check = await scheme.check(request, secret);
  return typeof check === 'string' ? check : check.diagnosis();
}

const { github, shopify, slack, stripe, twilio } = SCHEMES;
const hexOfShopify = custom({ header: 'X-Shopify-Hmac-Sha256', algorithm: 'SHA-256', encoding: 'hex' });
const sha1OfGithub = custom({ header: 'X-Hub-Signature-256', algorithm: 'SHA-1', encoding: 'hex', prefix: 'sha256=' });
const upperGithub: Scheme = respelled(github, (value) => value.replace(/[0-9a-f]{64}/, (hex) => hex.toUpperCase()));
const urlShopify: Scheme = respelled(shopify, (value) =>
  value.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', ''),
);
const untimedSlack = custom({
  header: 'X-Slack-Signature',
  algorithm: 'SHA-256',
  encoding: 'hex',
  prefix: 'v0=',
  timestamp: { header: 'X-Slack-Request-Timestamp' },
  payload: ({ body }) => body,
});
const dottedSlack = custom({
  header: 'X-Slack-Signature',
  algorithm: 'SHA-256',
  encoding: 'hex',
  prefix: 'v0=',
  timestamp: { header: 'X-Slack-Request-Timestamp' },
});
const timelessSlack = custom({ header: 'X-Slack-Signature', algorithm: 'SHA-256', encoding: 'hex', prefix: 'v0=' });
const bodyOfTwilio = custom({
  header: 'X-Twilio-Signature',
  algorithm: 'SHA-1',
  encoding: 'base64',
  payload: ({ body }) => body,
});
const bareGithub = custom({ header: 'X-Hub-Signature-256', algorithm: 'SHA-256', encoding: 'hex' });

/** The same signature, written in another way. */
function respelled(scheme: Scheme, change: (value: string) => string): Scheme {
  return {
    ...scheme,
    sign: (request, secret) => {
      const signature = scheme.sign(request, secret);
      const headers = Object.entries(signature.headers).map(([name, value]) => [name, change(value)]);
      return { ...signature, headers: Object.fromEntries(headers) };
    },
  };
}

test.each<[Scheme, Sending, string]>([
  [stripe, { scheme: stripe, at: AT - 301_000 }, 'its timestamp is 301 s old, and 300 s are allowed'],
  [slack, { scheme: slack, at: AT - 3_600_000 }, 'its timestamp is 3600 s old'],
  [stripe, { scheme: stripe, secret: SECRET.slice(6) }, 'the secret was used without its whsec_'],
  [stripe, { scheme: stripe, secret: `${SECRET}\n` }, 'the secret has white space around it on one side'],
  [github, { scheme: github, body: BODY.trim() }, 'a line break at the end of the body came or went'],
  [github, { scheme: github, body: JSON.stringify({ id: 1, name: 'Å' }, null, 2) }, 'parsed and written again'],
  [shopify, { scheme: hexOfShopify }, 'the digest is in hex; Shopify writes it in base64'],
  [github, { scheme: sha1OfGithub }, 'it is HMAC with SHA-1; GitHub signs with SHA-256'],
  [github, { scheme: bareGithub }, 'sha256=<hex>. And the digest in it is right'],
  [github, { scheme: respelled(bareGithub, (value) => value.toUpperCase()) }, '. And the hex is in upper case'],
  [github, { scheme: upperGithub }, 'the hex is in upper case; write it in lower case'],
  [shopify, { scheme: urlShopify }, 'the base64 is unpadded, or of the alphabet for URLs'],
  [github, { scheme: respelled(github, (value) => `${value}" `) }, 'white space or a quotation mark around the digest'],
  [slack, { scheme: untimedSlack }, 'the body alone was signed; Slack signs the timestamp (X-Slack-Request-Timestamp)'],
  [slack, { scheme: dottedSlack }, 'the timestamp and the body were joined otherwise than Slack joins them'],
  [
    slack,
    { scheme: timelessSlack },
    'not written as Slack writes it: X-Slack-Signature: v0=<hex>, X-Slack-Request-Timestamp',
  ],
  [twilio, { scheme: twilio, secret: 'another' }, 'or the sender calls another URL than shop.example/hooks'],
  [github, { scheme: bareGithub }, 'not written as GitHub writes it: X-Hub-Signature-256: sha256=<hex>'],
  [twilio, { scheme: bodyOfTwilio }, 'the body alone was signed; Twilio signs the URL with it'],
  [twilio, { scheme: twilio, url: 'https://shop.example/hooks' }, 'bodySHA256 of the URL is missing'],
  [stripe, { scheme: stripe, secret: 'another' }, 'no classic mistake explains it'],
])('%#: what is wrong is named', async (expected, sending, words) => {
  const text = await diagnosis(expected, await arrived(sending));
  expect(text).toContain(words);
  expect(text).not.toContain(SECRET.slice(6));
});

test('two mistakes are named together, and what is right has none', async () => {
  const both = await arrived({ scheme: stripe, secret: `"${SECRET}"`, at: AT - 400_000 });
  expect(await diagnosis(stripe, both)).toMatch(/400 s old.*quotation marks/);
  expect(await diagnosis(stripe, await arrived({ scheme: stripe }))).toBe('valid');
});

test.each<[Scheme, string, string]>([
  [stripe, SECRET.slice(6), 'the secret here lacks its whsec_; give it as the sender shows it'],
  [stripe, Buffer.from('a key of its own').toString(), 'the secret here was decoded from base64'],
  [github, Buffer.from('another key').toString(), 'the secret here was decoded from hex'],
  [SCHEMES['standard-webhooks'], SECRET.slice(6), 'the secret lacks whsec_ on one side'],
])('a receiver whose own secret is wrong is told how, %#', async (scheme, here, words) => {
  const there = {
    [SECRET.slice(6)]: SECRET,
    'a key of its own': Buffer.from('a key of its own').toString('base64'),
    'another key': Buffer.from('another key').toString('hex'),
  }[here];
  const text = await diagnosis(
    scheme,
    await arrived({ scheme, ...(there === undefined ? {} : { secret: there }) }),
    here,
  );
  expect(text).toContain(words);
  expect(text).not.toContain(here);
});

test('the beginning of a secret is not repeated where it is no known prefix', async () => {
  const text = await diagnosis(github, await arrived({ scheme: github, secret: 'horse' }), 'battery_horse');
  expect(text).toBe('the secret was used without what stands before its underscore; use its text as it stands');
});
