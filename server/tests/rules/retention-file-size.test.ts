import { statSync } from 'node:fs';
import { expect, test } from 'vitest';
import { A, accept, end, NOW, openPlace, type Place } from '../support/retention-place.ts';

test('the file stops growing, and gives back what it does not need', async () => {
  const place = await openPlace();
  const properties = { text: 'x'.repeat(2_000) };
  const day = async (number: number): Promise<void> => {
    const ids = Array.from({ length: 4_000 }, (_, index) => `d${number}-${index}`);
    await end(place, await accept(place, NOW + number, ids, [A], properties));
  };
  const forget = async (upTo: number): Promise<void> => {
    const bounds = { endedBefore: NOW + upTo, seenBefore: NOW + upTo, usedBefore: NOW };
    let after: string | undefined;
    do {
      after = (await place.store.purge({ ...bounds, after, limit: 500 })).next;
    } while (after !== undefined);
  };
  const sizes: number[] = [];
  for (let number = 0; number < 6; number += 1) {
    await day(number);
    await forget(number);
    sizes.push(megabytes(place));
  }
  const [, second = 0] = sizes;
  expect(second).toBeGreaterThan(10);
  expect(Math.max(...sizes.slice(2)), `sizes in MB: ${sizes.join(', ')}`).toBeLessThanOrEqual(second * 1.1);
  for (let number = 6; number < 12; number += 1) await day(number);
  const grown = megabytes(place);
  await forget(12);
  await place.store.close();
  expect(grown).toBeGreaterThan(50);
  expect(megabytes(place)).toBeLessThan(15);
});

function megabytes({ path }: Place): number {
  return statSync(path).size / 1e6;
}
