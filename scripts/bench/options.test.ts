import { expect, test } from 'vitest';
import { BENCHES } from './benches.ts';
import { helpText, readOptions } from './options.ts';

test('without names the standard benches run', () => {
  const { benches, runs, size } = readOptions([], BENCHES);
  expect(benches.map(({ name }) => name)).toEqual(['delivery', 'ingest', 'cost', 'end-to-end', 'backlog', 'idle']);
  expect({ runs, size }).toEqual({ runs: undefined, size: 1 });
});

test('names choose benches, and all means all', () => {
  const named = readOptions(['storm', 'idle', '--runs', '2', '--size', '0.1', '--real', '--json'], BENCHES);
  expect(named.benches.map(({ name }) => name)).toEqual(['storm', 'idle']);
  expect(named).toMatchObject({ runs: 2, size: 0.1, isReal: true, json: true });
  expect(readOptions(['all'], BENCHES).benches).toEqual(BENCHES);
});

test.each([
  [['fast'], 'there is no bench "fast"; there are delivery'],
  [['--runs', '0'], '--runs 0'],
  [['--runs', '1.5'], '--runs 1.5'],
  [['--size', '2'], '--size 2'],
  [['--size', 'much'], '--size much'],
  [['--quick'], '--quick'],
  [['--against', 'main', '--real'], '--against measures without --real'],
  [['--gate', 'ingest'], '--gate does fixed work: leave out ingest'],
  [['--save', '--size', '0.1'], '--save keeps figures of the full size'],
])('%j is refused with what is wrong', (args, words) => {
  expect(() => readOptions(args, BENCHES)).toThrow(words);
});

test('the help names every bench and flag', () => {
  const help = helpText(BENCHES);
  for (const { name } of BENCHES) expect(help).toContain(name);
  for (const flag of ['--runs', '--size', '--real', '--json', '--save', '--against', '--gate'])
    expect(help).toContain(flag);
});
