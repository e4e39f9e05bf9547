import { expect, test } from 'vitest';
import { placeToken, readPlacePage } from '../../resources/place-pages.ts';

test('CFG-6: a page begins behind the longest id that profiles keep, whatever its characters became', () => {
  const page = { after: `${2 ** 31 - 1} ${'\uFFFD'.repeat(1_000)}`, limit: 1_000 };
  expect(readPlacePage({ page_token: placeToken('members', page) }, 'members')).toEqual(page);
});
