import fc from 'fast-check';
import { beforeEach, expect, test } from 'vitest';
import { originOf, type Redact, secretMask } from '../../delivery/secret-mask.ts';

const SECRETS = {
  shared: `sh4red-"secret"/+&<=>'\\ é`,
  header: 'h3ader:p4ss?+/ü',
  query: 'q uery+s3cret',
  path: 'P4thS3cret',
};

const basic = Buffer.from('user:b4sicPassword').toString('base64');
const TARGET = {
  sharedSecret: SECRETS.shared,
  webhooks: [
    {
      url: `https://a.test/services/${SECRETS.path}?key=${encodeURIComponent(SECRETS.query)}`,
      headers: { Authorization: `Bearer ${SECRETS.header}`, Other: `Basic ${basic}` },
    },
  ],
};

/** A mask is made at its first text: anew for each test, so that each tells whether it is made right. */
let mask: Redact;
beforeEach(() => {
  mask = secretMask(TARGET);
});

const utf8 = (text: string): Buffer => Buffer.from(text, 'utf8');
const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');
const everyByte = (text: string): string => utf8(text).toString('hex').replaceAll(/../g, '%$&');
const inHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** Each ends with its own kind of text, so that nothing of it may be left. */
const ENCODINGS: Readonly<Record<string, (text: string) => string>> = {
  plain: (text) => text,
  JSON: (text) => JSON.stringify(text).slice(1, -1),
  'JSON with escapes': (text) =>
    Array.from(text, (one) => String.raw`\u${one.charCodeAt(0).toString(16).padStart(4, '0').toUpperCase()}`).join(''),
  'a path': encodeURIComponent,
  'a URL': encodeURI,
  'a form': (text) => new URLSearchParams({ a: text }).toString().slice(2),
  'percent-encoding in lower case': (text) => encodeURIComponent(text).replaceAll(/%../g, (hex) => hex.toLowerCase()),
  'percent-encoding of every byte': everyByte,
  'percent-encoding of Latin-1': (text) => latin1(text).toString('hex').replaceAll(/../g, '%$&'),
  'percent-encoding of every byte, in upper case': (text) => everyByte(text).toUpperCase(),
  HTML: inHtml,
  'HTML with numbers': (text) => Array.from(text, (one) => `&#${one.codePointAt(0)};`).join(''),
  'HTML with numbers in hex': (text) => Array.from(text, (one) => `&#x${one.codePointAt(0)?.toString(16)};`).join(''),
  // `htmlspecialchars` of PHP.
  'HTML of PHP': (text) => inHtml(text).replaceAll("'", '&#039;'),
  'a URL in a URL': (text) => encodeURIComponent(encodeURIComponent(text)),
  'lower case': (text) => text.toLowerCase(),
  'upper case': (text) => text.toUpperCase(),
  'program text': (text) =>
    latin1(text)
      .toString('hex')
      .replaceAll(/../g, String.raw`\x$&`),
  'UTF-8 that was read as Latin-1': (text) => utf8(text).toString('latin1'),
  'Latin-1 that was read as UTF-8': (text) => latin1(text).toString('utf8'),
  hex: (text) => utf8(text).toString('hex'),
  'hex in upper case': (text) => utf8(text).toString('hex').toUpperCase(),
  'hex of Latin-1': (text) => latin1(text).toString('hex'),
  base64: (text) => utf8(text).toString('base64'),
  'base64 without padding': (text) => utf8(text).toString('base64').replaceAll('=', ''),
  'base64 in a URL': (text) => encodeURIComponent(utf8(text).toString('base64')),
  base64url: (text) => utf8(text).toString('base64url'),
  'base64url with padding': (text) => utf8(text).toString('base64').replaceAll('+', '-').replaceAll('/', '_'),
  'base64 of Latin-1': (text) => latin1(text).toString('base64'),
  'Basic credentials': (text) => utf8(`user:${text}`).toString('base64'),
};

const cases = Object.entries(ENCODINGS).flatMap(([name, encode]) =>
  [...Object.entries(SECRETS), ['password', 'b4sicPassword'] as const].map(([what, secret]) => ({
    name: `the ${what} secret as ${name}`,
    encoded: encode(secret),
  })),
);

test.each(cases)('SAFE-3: $name is masked, alone and within a text', ({ encoded }) => {
  expect(mask(encoded)).toBe('[masked]');
  expect(mask(`{"seen": ${encoded} }`)).toBe('{"seen": [masked] }');
  expect(mask(`${encoded}|${encoded}`)).toBe('[masked]|[masked]');
});

test.each(cases)('SAFE-3: what a cut leaves of $name is masked', ({ encoded }) => {
  const lengths = Array.from({ length: encoded.length - 1 }, (_, index) => index + 1);
  const left = lengths.filter((length) => mask(`seen: ${encoded.slice(0, length)}`) !== 'seen: [masked]');
  // Of the text itself up to three characters may be left, which in the longest encodings are more.
  const most = /^(?:&#|\\)/.test(encoded) ? 24 : 12;
  expect(left.filter((length) => length > most)).toEqual([]);
});

test('SAFE-3: base64 is masked wherever in a longer text the secret stands', () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ maxLength: 40 }),
      fc.uint8Array({ maxLength: 40 }),
      fc.constantFrom('base64', 'base64url'),
      fc.constantFrom(...Object.values(SECRETS)),
      (before, behind, encoding, secret) => {
        const text = Buffer.concat([before, utf8(secret), behind]).toString(encoding);
        expect(mask(`a ${text}, b`).replace(/=*(, b)$/, '$1')).toBe('a [masked], b');
      },
    ),
  );
});

test.each(['\n', '\r\n', String.raw`\n`, String.raw`\r\n`])(
  'SAFE-3: base64 in lines that end with %j is masked',
  (end) => {
    for (const secret of Object.values(SECRETS)) {
      for (const before of [0, 1, 20, 40, 55]) {
        const lines =
          utf8('-'.repeat(before) + secret)
            .toString('base64')
            .match(/.{1,64}/g) ?? [];
        const shown = mask(lines.join(end)).split('[masked]').join('');
        expect(Buffer.from(shown, 'base64').toString()).toMatch(/^-*$/);
      }
    }
  },
);

test('SAFE-3: a path is masked in whole, its words alone are not', () => {
  expect(mask(`Cannot POST /services/${SECRETS.path}`)).toBe('Cannot POST [masked]');
  expect(mask(`no service ${SECRETS.path.toLowerCase()} among the services`)).toContain('among the services');
  expect(mask(`no service ${SECRETS.path}`)).toBe('no service [masked]');
});

test('SAFE-3: a secret that repeats itself, or is made of escapes, is found', () => {
  for (const secret of ['aaaa', '\\\\\\\\', '%%%%25', '&amp;&amp;', '++++', 'a\\"b"\\c']) {
    const of = secretMask({ sharedSecret: secret, webhooks: [] });
    for (const encode of Object.values(ENCODINGS)) expect(of(`(${encode(secret)})`)).not.toContain(encode(secret));
  }
});

test.each<readonly [name: string, encode: (text: string) => string]>([
  ['a path', encodeURIComponent],
  ['JSON', (text) => JSON.stringify(text).slice(1, -1)],
  ['HTML', (text) => Array.from(text, (one) => `&#x${one.codePointAt(0)?.toString(16)};`).join('')],
  ['HTML with numbers', (text) => Array.from(text, (one) => `&#${one.codePointAt(0)};`).join('')],
  [
    'UTF-16',
    (text) =>
      text
        .split('')
        .map((unit) => String.raw`\u${unit.charCodeAt(0).toString(16)}`)
        .join(''),
  ],
  ['base64url', (text) => utf8(text).toString('base64url')],
])('SAFE-3: a secret beyond Latin-1 is masked as %s', (_name, encode) => {
  const secret = '\u65e5\u672c\u{1f600}\u{1f512}\u9375';
  const of = secretMask({ sharedSecret: secret, webhooks: [] });
  expect(of(`(${encode(secret)})`)).toBe('([masked])');
});

test('SAFE-3: a control character and the last of Latin-1 are masked in program text and in URLs', () => {
  const of = secretMask({ sharedSecret: 'p\t4ss\u00ff', webhooks: [] });
  const far = secretMask({ sharedSecret: 'p4\u20ac\u65e5\u672c', webhooks: [] });
  expect(far(String.raw`(p4\x20ac\x65e5\x672c)`)).toBe('([masked])');
  expect(far('(p4%20ac%65e5%672c)')).toBe('([masked])');
  for (const prefix of [String.raw`\x`, '%']) {
    const encoded = latin1('p\t4ss\u00ff').toString('hex').replaceAll(/../g, `${prefix}$&`);
    expect(of(`(${encoded})`)).toBe('([masked])');
  }
});

test('SAFE-3: base64 whose special characters were changed on the way is masked', () => {
  const of = secretMask({ sharedSecret: '>>>???>>>', webhooks: [] });
  for (const encoded of [
    'Pj4+Pz8/Pj4+',
    'Pj4-Pz8_Pj4-',
    'Pj4 Pz8/Pj4 ',
    'Pj4%2BPz8%2fPj4%2b',
    String.raw`Pj4+Pz8\/Pj4+`,
  ]) {
    expect(of(`a: ${encoded}, b`)).toBe('a: [masked], b');
  }
  // A space comes of a plus alone.
  expect(of('a: Pj4+Pz8 Pj4+, b')).toBe('a: Pj4+Pz8 Pj4+, b');
});

test('SAFE-3: what stands beside a secret, or is like none, is shown', () => {
  expect(mask(`abc${SECRETS.path}def`)).toBe('abc[masked]def');
  expect(mask(`xyz${utf8(SECRETS.path).toString('hex')}xyz`)).toBe('xyz[masked]xyz');
  for (const text of ['+'.repeat(40), '\uFFFD'.repeat(40), ' '.repeat(40)]) expect(mask(text)).toBe(text);
});

test('SAFE-3: secrets that touch or overlap are masked as one', () => {
  const encoded = utf8(SECRETS.shared).toString('base64');
  expect(mask(`${SECRETS.path}${SECRETS.header}!`)).toBe('[masked]!');
  expect(mask(`abcd${SECRETS.path}${encoded}!`)).toBe('[masked]!');
  expect(mask(`${encoded}%3Anext`)).toBe('[masked]%3Anext');
});

test('SAFE-3: what a text goes on with behind a secret is shown, however the secret may be read', () => {
  const backslashes = '\\'.repeat(20);
  const of = secretMask({ sharedSecret: backslashes, webhooks: [] });
  expect(of(`${backslashes} and more`)).toBe('[masked] and more');
  expect(of(`${backslashes}${backslashes} and more`)).toBe('[masked] and more');
  expect(secretMask({ sharedSecret: 'abc\\', webhooks: [] })('abc\\\\ and more')).toBe('[masked] and more');
});

test('SAFE-3: a secret that is cut within a character that was read as another encoding is masked', () => {
  const of = secretMask({ sharedSecret: 'p4ssé', webhooks: [] });
  expect(of('seen: p4ssÃ\uFFFD')).toBe('seen: [masked]');
});

test('SAFE-3: what cannot be read before the end of a text is no cut', () => {
  const of = secretMask({ sharedSecret: 'p4ssword', webhooks: [] });
  expect(of('seen: p4ss\uFFFD%7')).toBe('seen: p4ss\uFFFD%7');
  expect(of('seen: p4ss%7')).toBe('seen: [masked]');
});

test('SAFE-3: a text in which the search takes too long is masked in whole', () => {
  const headers = Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`X-${at}`, `${'a'.repeat(1_000)}${at}`]));
  const of = secretMask({ sharedSecret: '', webhooks: [{ url: 'https://a.test/', headers }] });
  expect(of(`${'a'.repeat(500)} and more`)).toBe('[masked]');
  expect(of(`${'a'.repeat(10)} and more`)).toBe(`${'a'.repeat(10)} and more`);
});

/** What a destination with this one header, or this one URL, makes of a text. */
const withHeader = (value: string): Redact =>
  secretMask({ sharedSecret: '', webhooks: [{ url: 'https://a.test/', headers: { 'X-One': value } }] });
const withUrl = (url: string): Redact => secretMask({ sharedSecret: '', webhooks: [{ url, headers: {} }] });

test.each([
  ['token=t0ken-9; realm="orders"', 'no t0ken-9 of orders', 'no [masked] of orders'],
  ['Digest username="abcdefghij", nonce=v12', 'abcdefghij, v12', '[masked], v12'],
  [`basic   ${basic}`, 'no user b4sicPassword', 'no user [masked]'],
  [`Basic ${basic}`, 'user:b4sicPassword', '[masked]'],
  [`Proxy Basic ${basic} or none`, 'no user b4sicPassword', 'no user [masked]'],
  ['abc', 'abcd of abc', 'abcd of abc'],
])('SAFE-3: of the header %s, "%s" is shown as "%s"', (value, text, shown) => {
  expect(withHeader(value)(text)).toBe(shown);
});

test.each([
  ['https://a.test/in?abc-key&b=s3cond', 'abc-key and b=s3cond!', '[masked] and b=[masked]!'],
  // These are no UTF-8, so that they are nothing but what they are.
  ['https://a.test/in?a=1&b=%E9t%E9=s3cret', 'a=1, %E9t%E9=s3cret', 'a=1, [masked]'],
  ['https://a.test/in/t%20k%C3%A9n', 'in: t kén', 'in: [masked]'],
  ['https://a.test/in/100%-s3cret', 'in: 100%-s3cret', 'in: [masked]'],
  ['https://a.test/in/api/v12/abcdefghij', 'api v12: abcdefghij', 'api v12: [masked]'],
  ['https://a.test/in/s3cret?b=2', 'POST /in/s3cret?b=2', 'POST [masked]?b=2'],
  ['no URL', 'no URL', 'no URL'],
])('SAFE-3: of the URL %s, "%s" is shown as "%s"', (url, text, shown) => {
  expect(withUrl(url)(text)).toBe(shown);
});

test.each([
  ['https://user:pass@a.test:8443/path?query#fragment', 'https://a.test:8443'],
  ['no URL', '[masked]'],
])('SAFE-3: of %s only %s is shown', (url, shown) => {
  expect(originOf(url)).toBe(shown);
});
