import { expect, test } from 'vitest';
import { BOUNDS, placesOfVerbs, production, smallFiles, type Source } from '../../../scripts/walk/figures.ts';

/** Verbs that are typed in more places than the aim, with these places. */
function scattered(files: readonly Source[]): [verb: string, places: readonly string[]][] {
  return [...placesOfVerbs(files)].filter(([, places]) => places.length > BOUNDS.placesOfVerb);
}

test('few files of production have less than 20 lines: what belongs to a neighbor stands there', () => {
  const small = smallFiles(production());
  expect(small.length, small.join('\n')).toBeLessThanOrEqual(BOUNDS.smallFiles);
});

test('a file under 20 lines is counted, and one of 20 is not', () => {
  const files = [19, 20].map((lines) => ({ file: `${lines}.ts`, text: 'line\n'.repeat(lines) }));
  expect(smallFiles(files)).toEqual(['19.ts']);
});

test('a verb of the storage is typed in few places', () => {
  expect(scattered(production())).toEqual([]);
});

function typed(file: string): Source {
  return { file: `server/storage/${file}.ts`, text: 'eraseUsers(request): void;' };
}

test('a verb that is typed in one place too many is found', () => {
  const places = ['port', 'verbs', 'file/engine', 'file/thread'].map(typed);
  expect(scattered(places)).toEqual([]);
  const all = [...places, typed('file/one-more')];
  expect(scattered(all)).toEqual([['eraseUsers', all.map(({ file }) => file)]]);
});
