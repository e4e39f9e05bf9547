import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { numberWords } from '../bench/printout.ts';
import { ROOT } from '../generate/root.ts';
import { figureOf } from './bench-page.ts';
import { withPart } from './page-part.ts';
import { markdownTable, originLine, readResult } from './result.ts';

/** In the words of the page, by what the bench calls its figures. */
const COSTS: readonly (readonly [words: string, figure: string])[] = [
  ['accepting an event, without audiences', 'ingest without audiences'],
  [
    'the same and folding it, with 100 audiences; a tenth of the events is counted by 30 conditions',
    'ingest with 100 audiences of 30 conditions, which a tenth of the events meets',
  ],
  ['folding an event that is counted once', 'fold, an event that is counted once on average'],
  ['folding an event that is not counted', 'fold, an event of which only the ids are kept'],
  ['folding the first `identify` of a user, with two traits', 'fold, a first identify with two traits'],
  ['on disk: a profile with two traits', 'disk, a profile with two traits'],
  ['on disk: an hour of a user in which something was counted', 'disk, a tile'],
  ['computing 100 audiences of three conditions, of a million profiles', 'a run of 100 audiences'],
  ['memory for that', 'memory, from before the runs to after them'],
  ['telling a member, delivery included', 'a first sync, of the router'],
  ['deleting a user', 'an erasure of one profile, the file overwritten where it is free'],
];

const UNITS: Readonly<Record<string, string>> = {
  'µs of the processor an event': 'µs',
  'µs of the processor a member': 'µs',
  's of the processor': 's',
};

/** `docs/audiences.md`, with what audiences cost as it was measured last. */
export function audienceCostsPage(): string {
  const result = readResult('bench-audiences');
  const rows = COSTS.map(([words, name]) => {
    const { value, unit } = figureOf(result, name);
    return [words, `${numberWords(value)} ${UNITS[unit] ?? unit}`];
  });
  const text = `${markdownTable(['what', 'cost'], rows)}\n\n${originLine(result)}`;
  return withPart(readFileSync(join(ROOT, 'docs/audiences.md'), 'utf8'), 'costs', text);
}
