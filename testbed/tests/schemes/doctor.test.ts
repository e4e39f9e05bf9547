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
const bareGithub = custom({ header: 'X-Hub-Signature-256', algorithm: 'SHA-256', encoding: 'hex' });

test.each<[Scheme, Sending, string]>([
  [stripe, { scheme: stripe, at: AT - 301_000 }, 'its timestamp is 301 s old, and 300 s are allowed'],
  [slack, { scheme: slack, at: AT - 3_600_000 }, 'its timestamp is 3600 s old'],
  [stripe, { scheme: stripe, secret: SECRET.slice(6) }, 'the secret was used without its whsec_'],
  [stripe, { scheme: stripe, secret: `${SECRET}\n` }, 'the secret has white space around it on one side'],
  [github, { scheme: github, body: BODY.trim() }, 'a line break at the end of the body came or went'],
  [github, { scheme: github, body: JSON.stringify({ id: 1, name: 'Å' }, null, 2) }, 'parsed and written again'],
  [shopify, { scheme: hexOfShopify }, 'the digest is in hex; Shopify writes it in base64'],
  [github, { scheme: sha1OfGithub }, 'it is HMAC with SHA-1; GitHub signs with SHA-256'],
  [github, { scheme: bareGithub }, 'not written as GitHub writes it: X-Hub-Signature-256: sha256=<hex>'],
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
