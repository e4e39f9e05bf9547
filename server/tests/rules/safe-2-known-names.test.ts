import { expect, test } from 'vitest';
import type { Statement } from '../../storage/postgres/connection/statement.ts';
import { Names } from '../../storage/postgres/names.ts';

const DESTINATION = 'workspaces/main/sources/js/destinations/webhooks';

/** A database in which each name has the number that it ends with; and what it was asked for. */
function numbered() {
  const asked: unknown[] = [];
  const run = async <Row>(_statement: Statement, [names]: readonly unknown[] = []): Promise<readonly Row[]> => {
    const all = Array.isArray(names) ? names.map(String) : [];
    asked.push(...all);
    const rows: unknown = all.map((name) => ({ name, id: Number(name.slice(name.lastIndexOf('-') + 1)) }));
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- names are asked for here alone
    return rows as readonly Row[];
  };
  return { asked, names: new Names({ run, timeline: () => 1 }) };
}

test('SAFE-2: names of what a tenant makes and deletes, again and again, do not stay in memory; those in use do', async () => {
  const { asked, names } = numbered();
  const [used, gone] = [`${DESTINATION}-1`, `${DESTINATION}-2`];
  await names.add([used, gone]);
  for (let first = 10; first < 300_000; first += 10_000) {
    await names.add(Array.from({ length: 10_000 }, (_, index) => `${DESTINATION}-${first + index}`));
    await names.add([used]);
    expect(names.idOf(used)).toBe(1);
  }
  expect(asked.filter((name) => name === used)).toEqual([used]);
  asked.length = 0;
  await names.add([used, gone]);
  expect(asked).toEqual([gone]);
  expect([names.idOf(gone), names.nameOf(2)]).toEqual([2, gone]);
});
