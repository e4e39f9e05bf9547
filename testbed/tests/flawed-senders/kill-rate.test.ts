import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { complaints, killsOf, killTable } from '../support/complaints.ts';
import { FLAWED_SENDERS } from '../support/flawed-senders.ts';

const KILLS = await killsOf(FLAWED_SENDERS);

test('the matchers have no complaint about the production engine, on twelve seeds', async () => {
  for (let seed = 1; seed <= 12; seed += 1) expect(await complaints({}, seed)).toEqual([]);
});

test.each(KILLS)('a sender that $sender is caught', ({ complaints: found }) => {
  expect(found).not.toEqual([]);
});

test('at least twenty-five flawed senders are tried', () => {
  expect(KILLS.length).toBeGreaterThanOrEqual(25);
});

test('docs/testbed/faults.md holds the table of flawed senders', () => {
  const page = readFileSync(new URL('../../../docs/testbed/faults.md', import.meta.url), 'utf8');
  expect(page, 'run: node scripts/docs/testbed-pages.ts').toContain(killTable(KILLS));
});

test('a sender that nothing complains about is told as not caught', () => {
  const table = killTable([...KILLS.slice(0, 1), { sender: 'is perfect', complaints: [] }]);
  expect(table).toContain('1 of 2 flawed senders are caught (50 %)');
  expect(table).toContain('| is perfect | **not caught** |');
});
