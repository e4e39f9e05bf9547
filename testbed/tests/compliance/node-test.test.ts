import { AssertionError } from 'node:assert';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { assertSent } from '../../node-test/index.ts';
import { deliveryMatchers } from '../../vitest/index.ts';
import { observe, SECRET } from '../support/sender.ts';

const FLAKY = { script: '503x2,200', events: 3, hours: 1 };
const TESTBED = fileURLToPath(new URL('../../', import.meta.url));

test('the assertions of node:test give the verdicts and words of the matchers', async () => {
  for (const twist of [{}, { method: 'PUT' }, { policy: { firstWaitMs: 40_000 } }]) {
    const sent = await observe(FLAKY, twist);
    const said = {
      toHaveDelivered: deliveryMatchers.toHaveDelivered(sent),
      toMatchRetrySchedule: deliveryMatchers.toMatchRetrySchedule(sent),
      toArriveInOrder: deliveryMatchers.toArriveInOrder(sent),
    };
    for (const name of ['toHaveDelivered', 'toMatchRetrySchedule', 'toArriveInOrder'] as const) {
      const { pass, message } = said[name];
      const [holds, fails] = pass ? [assertSent(sent), assertSent(sent).not] : [assertSent(sent).not, assertSent(sent)];
      expect(() => holds[name]()).not.toThrow();
      expect(() => fails[name]()).toThrow(new AssertionError({ message: message() }));
    }
    await assertSent(sent).toBeSignedWith(SECRET);
    await expect(assertSent(sent).toBeSignedWith('another')).rejects.toThrow(AssertionError);
  }
});

test('every matcher has its assertion', async () => {
  const names = Object.keys(deliveryMatchers).toSorted();
  const assertions = assertSent(await observe(FLAKY));
  expect(Object.keys(assertions.not).toSorted()).toEqual(names);
});

test('under node:test one assertion holds, and another fails with its words', () => {
  const folder = mkdtempSync(join(tmpdir(), 'waybill-node-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'sent.test.mjs');
  writeFileSync(
    file,
    `import { test } from 'node:test';
import { assertSent } from '${TESTBED}node-test/index.ts';
test('the opposite holds', () => assertSent([]).not.toHaveDelivered());
test('it fails', () => assertSent([]).toHaveDelivered());
`,
  );
  // A test of node:test that is started by another one would report to it.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const { status, stdout } = spawnSync(process.execPath, ['--test', '--test-reporter=tap', file], {
    encoding: 'utf8',
    env,
  });
  expect(status).toBe(1);
  expect(stdout).toMatch(/^ *ok 1 - the opposite holds$/m);
  expect(stdout).toMatch(/^ *not ok 2 - it fails$/m);
  expect(stdout).toContain('nothing arrived at all');
});
