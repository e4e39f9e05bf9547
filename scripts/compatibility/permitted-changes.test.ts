import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { compareWithRelease, judge, type PermittedChange } from './permitted-changes.ts';
import { RELEASED } from './released.ts';

const BREAK =
  "#/components/schemas/Source/properties/id/pattern: `pattern` of `id` changed from '^[0-9a-f]{10}$' to '^[0-9a-f]{16}$'.";
const REASON = 'clients treat the id as opaque text';

/** What the gate says of a contract whose only edit is a longer id, with this list of permitted changes. */
function verdictWith(permitted: readonly PermittedChange[]) {
  const [config] = RELEASED;
  if (config === undefined) throw new Error('nothing is released');
  const folder = mkdtempSync(join(tmpdir(), 'waybill-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [current, permittedChanges] = [join(folder, 'edited.json'), join(folder, 'permitted-changes.json')];
  writeFileSync(current, readFileSync(config.released, 'utf8').replaceAll('^[0-9a-f]{10}$', '^[0-9a-f]{16}$'));
  writeFileSync(permittedChanges, JSON.stringify(permitted));
  return compareWithRelease({ ...config, current, permittedChanges });
}

test('CFG-23: a break that nobody permitted is a fault, named by its place in the released document', () => {
  expect(verdictWith([]).faults).toContain(BREAK);
});

test('CFG-23: a permitted break is no fault, and is told with its reason', () => {
  const { permitted, faults } = verdictWith([{ change: BREAK, reason: REASON }]);
  expect(faults).not.toContain(BREAK);
  expect(permitted).toEqual([{ change: BREAK, reason: REASON }]);
});

test.each<[what: string, breaks: string[], permitted: PermittedChange[], fault: string]>([
  ['a permission that no break uses', [], [{ change: BREAK, reason: REASON }], 'no longer occurs'],
  ['a permission that matches only in part', [`${BREAK} And more.`], [{ change: BREAK, reason: REASON }], 'And more.'],
  ['a permission without a reason', [BREAK], [{ change: BREAK, reason: ' ' }], 'without a reason'],
  [
    'a permission that stands twice',
    [BREAK],
    [
      { change: BREAK, reason: REASON },
      { change: BREAK, reason: 'another' },
    ],
    'more than once',
  ],
])('CFG-23: %s is a fault', (_what, breaks, permitted, fault) => {
  expect(judge(breaks, permitted).faults.join('\n')).toContain(fault);
});
