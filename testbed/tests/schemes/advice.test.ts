import { expect, test } from 'vitest';
import { auditSignatures } from '../../audit/index.ts';
import type { Observed } from '../../audit/observed.ts';
import { type Scheme, SCHEMES } from '../../schemes/index.ts';
import { type History, SECRET, sentAs } from '../support/sent-as.ts';

const ONE: History = { script: '200', sent: [['first', 0]] };
const OTHER = `whsec_${Buffer.from('a secret of somebody else').toString('base64')}`;

/** What belongs to each sender alone: its name, its headers, and words for its settings. */
const OWN_WORDS = Object.values<Scheme>(SCHEMES).map(({ name, title, headers }) => ({
  name,
  words:
    name === 'waybill' ? ['Waybill', 'destination', 'sharedSecret', 'public_keys', 'X-Signature'] : [title, ...headers],
}));

/** What is named that only other senders have. */
function foreignWords(text: string, scheme: Scheme): readonly string[] {
  const own = OWN_WORDS.filter(({ name }) => name === scheme.name).flatMap(({ words }) => words);
  const foreign = OWN_WORDS.filter(({ name }) => name !== scheme.name).flatMap(({ words }) => words);
  // What Waybill sends as Standard Webhooks it calls so, too.
  const allowed = scheme.name === 'waybill' ? [...own, 'webhook-signature', 'Standard Webhooks'] : own;
  const isNamed = (word: string): boolean => new RegExp(`(?<![\\w-])${word}(?![\\w-])`).test(text);
  return foreign.filter((word) => !allowed.includes(word) && isNamed(word));
}

type Change = (each: Observed, names: readonly string[]) => Observed['headers'];
const isOf = (name: string, names: readonly string[]): boolean =>
  names.includes(name.toLowerCase()) || /^(?:webhook|svix)-/.test(name);

/** Everything that may be wrong with the headers of a signature. */
const CHANGES: Readonly<Record<string, Change>> = {
  'no signature': ({ headers }, names) => headers.filter(([name]) => !isOf(name, names)),
  'an empty signature': ({ headers }, names) => headers.map(([name, value]) => [name, isOf(name, names) ? '' : value]),
  'a signature that is none': ({ headers }, names) =>
    headers.map(([name, value]) => [name, isOf(name, names) ? 'none' : value]),
  'the header alone, without its companions': ({ headers }, names) =>
    headers.filter(([name]) => names.includes(name.toLowerCase()) || !/timestamp|-id$/i.test(name)),
  'a signature of zeros': ({ headers }, names) =>
    headers.map(([name, value]) => [name, isOf(name, names) ? value.replaceAll(/[0-9a-f]/g, '0') : value]),
  'the signature as it came': ({ headers }) => headers,
};

async function adviceOn(scheme: Scheme, change: Change, secret: string): Promise<string> {
  const sent = await sentAs(scheme, ONE);
  const names = scheme.headers.map((name) => name.toLowerCase());
  const changed = sent.map((each) => ({ ...each, headers: change(each, names) }));
  const violations = await auditSignatures(changed, secret);
  return violations.map(({ words }) => words).join('\n');
}

test.each(Object.values<Scheme>(SCHEMES))('no advice on $name names a thing of another sender', async (scheme) => {
  for (const [what, change] of Object.entries(CHANGES)) {
    for (const secret of [SECRET, OTHER]) {
      const text = await adviceOn(scheme, change, secret);
      expect({ what, text, foreign: foreignWords(text, scheme) }).toEqual({ what, text, foreign: [] });
    }
  }
  const unsigned = await adviceOn(scheme, CHANGES['no signature'] ?? (({ headers }) => headers), SECRET);
  expect(unsigned).toContain(scheme.headers[0]);
});

test.each(['whsk_YWJj', 'whsec_!', 'whpk_YWJj'])(
  'what the doctor says of %s, which is no key of Standard Webhooks, names nothing of Waybill',
  async (secret) => {
    const [request] = await sentAs(SCHEMES['standard-webhooks'], ONE);
    const check = request === undefined ? 'missing' : await SCHEMES['standard-webhooks'].check(request, secret);
    const text = typeof check === 'string' ? check : await check.diagnosis();
    expect(text).toContain('the secret ');
    expect(foreignWords(text, SCHEMES['standard-webhooks'])).toEqual([]);
  },
);

test('advice of another sender is found', () => {
  const waybills = 'set the destination’s sharedSecret, and see that no proxy drops X-Signature';
  expect(foreignWords(waybills, SCHEMES.stripe)).toEqual(['destination', 'sharedSecret', 'X-Signature']);
  expect(foreignWords('set the secret at Stripe', SCHEMES.github)).toEqual(['Stripe']);
  expect(foreignWords('no proxy drops X-Slack-Signature', SCHEMES.slack)).toEqual([]);
});
