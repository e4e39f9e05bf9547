import { stripVTControlCharacters } from 'node:util';
import pc from 'picocolors';
import { expect, test } from 'vitest';
import type { Result } from '../../certify/certify.ts';
import { GROUPS } from '../../certify/scenarios/all.ts';
import { widthOf, wrapped } from '../text-width.ts';
import { HELP } from './help.ts';
import { groupLines, headLines, resultLines, summaryLines } from './lines.ts';
import { CERTIFY_FLAGS } from './options.ts';

const VERDICTS = ['passed', 'advice', 'failed', 'skipped', 'not-asked', 'not-judged'] as const;
const WORDS = ['accepted: 200 after 3 ms', `it could not be judged: \u001b[31m${'very '.repeat(40)}long`];

const RESULTS: readonly Result[] = GROUPS.flatMap(({ title: group, scenarios }) =>
  scenarios.flatMap(({ id, title, expects }) =>
    VERDICTS.flatMap((verdict) => WORDS.map((words) => ({ group, id, title, expects, verdict, words, ms: 1 }))),
  ),
);

function linesAt(width: number, hasColors = false): readonly string[] {
  const style = { colors: pc.createColors(hasColors), width };
  return [
    ...headLines('http://127.0.0.1:3000/hooks', 'Sent by Waybill/0.1.0.', style),
    ...RESULTS.flatMap((result) => [...groupLines(result.group, style), ...resultLines(result, style)]),
    ...summaryLines(RESULTS, style),
  ].flatMap((line) => line.split('\n'));
}

test.each([80, 100, 120, 140])('no line is wider than %i columns', (width) => {
  expect(linesAt(width).filter((line) => widthOf(line) > width)).toEqual([]);
});

function ofTrack(width: number): string {
  return linesAt(width).find((line) => line.includes('A signed track event is accepted')) ?? '';
}

test('a wide window shows a result that is well on one line', () => {
  expect(ofTrack(120)).toMatch(/✓ A signed track event is accepted {2,}Accepted: 200 after 3 ms$/);
  expect(ofTrack(80)).toBe('  ✓ A signed track event is accepted');
});

test('colors change no column, and no escape of a receiver gets through', () => {
  expect(linesAt(120, true).map(stripVTControlCharacters)).toEqual(linesAt(120));
  expect(linesAt(120).join('')).not.toContain('\u001b');
});

test('a word that is longer than a line is cut', () => {
  expect(wrapped('a bb ccccccccc d', 4)).toEqual(['a bb', 'ccc…', 'd']);
});

test('the help names every flag, and fits a terminal', () => {
  expect(Object.keys(CERTIFY_FLAGS).filter((name) => !HELP.includes(`--${name}`))).toEqual([]);
  expect(HELP.split('\n').filter((line) => widthOf(line) > 80)).toEqual([]);
});

const STYLE = { colors: pc.createColors(false), width: 140 };
const RESULT: Result = { group: 'g', id: 'a', title: 'A title', expects: 'x', verdict: 'passed', words: 'well', ms: 1 };
const ending = (...verdicts: readonly Result['verdict'][]): string =>
  summaryLines(
    verdicts.map((verdict) => ({ ...RESULT, verdict })),
    STYLE,
  ).join('\n');

test('a first event that was not accepted is the one cause that is told', () => {
  const told = ending('failed', 'not-judged', 'not-judged');
  expect(told).toContain('The receiver was not judged.\n0 passed, 1 failed, 2 not judged.\n');
  expect(told).toContain('It did not accept the first event, and nothing else was sent.');
  expect(told).not.toContain('--observer');
});

test('what was skipped is counted, and told with the way to observe it', () => {
  expect(ending('passed', 'skipped')).toMatch(
    /^The receiver keeps the contract\.\n1 passed, 0 failed, 1 skipped\.\nSkipped .* --observer /m,
  );
  expect(ending('passed', 'advice')).not.toContain('--observer');
});

test('what was not observed has a dash, and no tick', () => {
  expect(resultLines({ ...RESULT, verdict: 'skipped', words: 'not observed' }, STYLE)).toEqual([
    '  - A title',
    '      Not observed',
  ]);
});
