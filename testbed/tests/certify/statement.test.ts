/**
 * What certifies sends broken bodies on purpose: receivers have to refuse them.
 * @module-tag broken-bodies
 */
import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { expect, test } from 'vitest';
import { certificatePage } from '../../certify/certificate-page.ts';
import type { Result } from '../../certify/certify.ts';
import { junitReport } from '../../certify/junit.ts';
import { fingerprintOf, privateKeyIn, signStatement, throwAwayKey, verifyStatement } from '../../certify/statement.ts';
import type { Statement } from '../../certify/statement.ts';
import { findingOf, hasPassed } from '../../certify/verdicts.ts';

const RESULTS: readonly Result[] = [
  { group: 'G & H', id: 'a', title: 'A <b>', expects: 'x', verdict: 'passed', words: 'fine & "well"', ms: 12 },
  { group: 'G & H', id: 'b', title: 'B', expects: 'y', verdict: 'failed', words: 'broken\u0000', ms: 3 },
  { group: 'G & H', id: 'c', title: 'C', expects: 'z', verdict: 'advice', words: 'better', ms: 1 },
  { group: 'G & H', id: 'd', title: 'D', expects: 'traits', verdict: 'skipped', words: 'not observed', ms: 1 },
  { group: 'G & H', id: 'e', title: 'E', expects: 'w', verdict: 'failed', words: '"null" was answered 500', ms: 1 },
];
const STATEMENT: Statement = {
  kind: 'waybill-receiver-certificate',
  version: 1,
  url: 'http://127.0.0.1:3000/hooks',
  engine: 'Waybill/0.1.0',
  contract: 'f'.repeat(64),
  startedAt: '2026-11-20T12:00:00.000Z',
  passed: false,
  results: RESULTS.map(({ id, verdict, words }) => ({ id, verdict, words })),
};

test('a signed statement verifies, also after it was written and read', () => {
  const key = throwAwayKey();
  const text = JSON.stringify(signStatement(STATEMENT, key), null, 2);
  expect(verifyStatement(text)).toMatchObject({ valid: true, statement: STATEMENT });
  expect(verifyStatement(text, createPublicKey(key))).toMatchObject({ valid: true });
});

test.each([
  ['its verdict', (text: string) => text.replace('"passed":false', '"passed":true')],
  ['one result', (text: string) => text.replace('"verdict":"failed"', '"verdict":"passed"')],
  ['the receiver', (text: string) => text.replace('3000', '3001')],
  ['a field more', (text: string) => text.replace('"version":1', '"version":1,"extra":1')],
])('a statement of which %s was altered does not verify', (_what, alter) => {
  const text = JSON.stringify(signStatement(STATEMENT, throwAwayKey()));
  expect(alter(text)).not.toBe(text);
  expect(verifyStatement(alter(text))).toMatchObject({ valid: false, reason: expect.stringContaining('altered') });
});

test('a statement that somebody else signed does not pass for one of ours', () => {
  const ours = createPublicKey(throwAwayKey());
  const theirs = JSON.stringify(signStatement({ ...STATEMENT, passed: true }, throwAwayKey()));
  expect(verifyStatement(theirs, ours)).toMatchObject({ valid: false, reason: expect.stringContaining('another key') });
  expect(fingerprintOf(ours)).toMatch(/^[0-9a-f]{16}$/);
});

test.each([
  '',
  '{}',
  'null',
  '{"statement":{},"publicKey":"x","signature":"y"}',
  '{"statement":{"kind":"waybill-receiver-certificate","results":[null]},"publicKey":"x","signature":"y"}',
])('%j is no statement', (text) => {
  expect(verifyStatement(text)).toMatchObject({ valid: false });
});

test('only ed25519 keys sign', () => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  expect(() => privateKeyIn(privateKey.export({ format: 'pem', type: 'pkcs8' }))).toThrow('of the kind ec');
  const pem = throwAwayKey().export({ format: 'pem', type: 'pkcs8' });
  expect(privateKeyIn(pem).asymmetricKeyType).toBe('ed25519');
});

test('JUnit counts, escapes, and holds no control character', () => {
  const xml = junitReport(RESULTS, STATEMENT.url);
  expect(xml).toContain('tests="5" failures="2" errors="0" skipped="1"');
  expect(xml).toContain('A &#60;b&#62;');
  expect(xml).toContain('<failure message="broken\ufffd"/>');
  expect(xml).toContain('<skipped message="not observed"/>');
  expect(xml).not.toContain('\u0000');
});

test('the page puts what failed first, and says so', () => {
  const page = certificatePage(RESULTS, signStatement(STATEMENT, throwAwayKey()));
  expect(page).toContain('This receiver does not keep the contract');
  expect(page.indexOf('<b>B</b>')).toBeLessThan(page.indexOf('<b>C</b>'));
  expect(page.indexOf('<b>C</b>')).toBeLessThan(page.indexOf('A &#60;b&#62;'));
});

test('the page counts what was skipped, and shows no tick for it', () => {
  const page = certificatePage(RESULTS, signStatement(STATEMENT, throwAwayKey()));
  expect(page).toContain('1 passed · 1 with advice · 2 failed · 1 skipped');
  expect(page).toContain('What was not observed <span>1</span>');
  expect(page).toContain('<details class="skipped">');
});

test('the page leaves quotations as they are', () => {
  const page = certificatePage(RESULTS, signStatement(STATEMENT, throwAwayKey()));
  expect(page).toContain('<p class="seen">&#34;null&#34; was answered 500</p>');
  expect(page).toContain('<p class="seen">Broken');
  // A browser would write "null" as "Null", and traits as Traits.
  expect(page).not.toContain('text-transform');
});

test('the page of a receiver that was not judged says neither yes nor no', () => {
  const [passed, failed] = RESULTS;
  if (passed === undefined || failed === undefined) throw new Error('there are no results');
  const results = [failed, { ...passed, verdict: 'not-judged' as const }];
  const page = certificatePage(results, signStatement(STATEMENT, throwAwayKey()));
  expect(page).toContain('This receiver was not judged: it did not accept the first event');
  expect(page).toContain('0 passed · 1 failed · 1 not judged');
  expect(page).not.toMatch(/keep(s)? the contract|✓<\/div>/);
});

test.each([
  [[], 'not-judged'],
  [['passed', 'advice', 'skipped'], 'passed'],
  [['passed', 'failed', 'skipped'], 'failed'],
  [['failed', 'not-judged'], 'not-judged'],
  [['skipped', 'skipped'], 'not-judged'],
] as const)('of %j a receiver is found %s', (verdicts, finding) => {
  const results = verdicts.map((verdict) => ({ verdict }));
  expect(findingOf(results)).toBe(finding);
  expect(hasPassed(results)).toBe(finding === 'passed');
});
