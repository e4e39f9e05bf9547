import { expect, test } from 'vitest';
import { VirtualClock } from '../../../testbed/simulation/virtual-clock.ts';
import { sharedReadings } from '../../shared-readings.ts';

test('who asks soon after another gets the same reading, by its key, and later a new one', async () => {
  const clock = new VirtualClock(0);
  const shared = sharedReadings<string>(clock, 2_000);
  let count = 0;
  const read = async (): Promise<string> => `reading ${(count += 1)}`;
  expect(await Promise.all([shared('a', read), shared('a', read)])).toEqual(['reading 1', 'reading 1']);
  expect(await shared('b', read)).toBe('reading 2');
  await clock.advance(1_999);
  expect(await shared('a', read)).toBe('reading 1');
  await clock.advance(1);
  expect(await shared('a', read)).toBe('reading 3');
});

test('SAFE-2: who asks while it is under way gets the same, and most of the time after a long one is left to others', async () => {
  const clock = new VirtualClock(0);
  const shared = sharedReadings<number>(clock, 2_000);
  let count = 0;
  const read = async (): Promise<number> => {
    count += 1;
    await clock.sleep(3_000);
    return count;
  };
  const first = shared('a', read);
  await clock.advance(2_999);
  const second = shared('a', read);
  await clock.advance(1);
  expect(await Promise.all([first, second])).toEqual([1, 1]);
  await clock.advance(11_999);
  void shared('a', read);
  expect(count).toBe(1);
  await clock.advance(1);
  void shared('a', read);
  expect(count).toBe(2);
});

test('what failed is read again by who asks next', async () => {
  const shared = sharedReadings<string>(new VirtualClock(0), 2_000);
  await expect(shared('a', () => Promise.reject(new Error('the disk is full')))).rejects.toThrow('the disk is full');
  expect(await shared('a', async () => 'read')).toBe('read');
});
