import { expect, test } from 'vitest';
import { afterReading, blocksOf, FIRST_PAGE, type KnownPage } from '../src/deliveries/known-pages.ts';

function read(pages: readonly KnownPage[], index: number, count: number, next: string): readonly KnownPage[] {
  const delivery = { name: 'd', type: 'track', event: '', user_id: '', state: 'failed' } as const;
  const one = { ...delivery, parent: '', message_id: '', round_count: 1, replay_count: 0, receive_time: '' };
  return afterReading(pages, index, { deliveries: Array.from({ length: count }, () => one), next_page_token: next });
}

test('pages lead from one to the next until the last, and what is read again alike changes nothing', () => {
  const two = read(FIRST_PAGE, 0, 50, 'a');
  expect(two).toEqual([
    { token: '', count: 50 },
    { token: 'a', count: undefined },
  ]);
  const all = read(two, 1, 60, '');
  expect(all.map(({ count }) => count)).toEqual([50, 60]);
  expect(read(all, 0, 50, 'a')).toBe(all);
  expect(read(all, 5, 50, 'b')).toBe(all);
});

test('where another page follows than before, those behind it are read anew', () => {
  const all = read(read(read(FIRST_PAGE, 0, 50, 'a'), 1, 200, 'b'), 2, 1_000, '');
  expect(read(all, 0, 50, 'a2')).toEqual([
    { token: '', count: 50 },
    { token: 'a2', count: undefined },
  ]);
  expect(read(all, 1, 7, '').map(({ count }) => count)).toEqual([50, 7]);
});

test('rows are shown in blocks, of which each knows where it stands in the list', () => {
  const pages = read(read(FIRST_PAGE, 0, 50, 'a'), 1, 120, 'b');
  expect(blocksOf(pages)).toEqual([
    { page: 0, from: 0, first: 0, count: 50 },
    { page: 1, from: 0, first: 50, count: 50 },
    { page: 1, from: 50, first: 100, count: 50 },
    { page: 1, from: 100, first: 150, count: 20 },
    { page: 2, from: 0, first: 170, count: undefined },
  ]);
});
