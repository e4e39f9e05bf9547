import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { VERBS } from '../../server/storage/verbs.ts';
import { ROOT } from '../generate/root.ts';
import { type Origin, originNow } from '../results/result.ts';
import type { Ran } from './coverage.ts';

/** How much the router makes its reader hold in mind. */
export interface StructureResult extends Origin {
  readonly figures: readonly { readonly what: string; readonly value: number | string; readonly aim: string }[];
}

interface Walks {
  readonly track: readonly Ran[];
  readonly patch: readonly Ran[];
}

export function figuresOf({ track, patch }: Walks): StructureResult {
  const files = production();
  const lines = files.map(({ text }) => text.split('\n').length - 1);
  const figures = [
    { what: 'files / functions that one `track` call runs', value: countsOf(track), aim: '≤ 45 / ≤ 130' },
    { what: 'the same for a change of one field', value: countsOf(patch), aim: '≤ 28 / ≤ 85' },
    { what: 'reads of the configuration for an event', value: readsOf(track), aim: '0' },
    { what: 'lines of production code in `server/`', value: lines.reduce((sum, one) => sum + one, 0), aim: '≤ 13 000' },
    { what: 'of its files, those under 20 lines', value: lines.filter((one) => one < 20).length, aim: '≤ 40' },
    { what: 'places where a storage verb is typed, at most', value: mostPlaces(files), aim: '≤ 4' },
    { what: 'ways into storage outside of production', value: waysIn(), aim: '0' },
  ];
  return { ...originNow('npm run walk -- --write'), figures };
}

interface Source {
  readonly file: string;
  readonly text: string;
}

function production(): Source[] {
  const exclude = ['**/node_modules/**', '**/tests/**', '**/*.test.ts'];
  return globSync('server/**/*.ts', { cwd: ROOT, exclude }).map((file) => ({ file, text: read(file) }));
}

function read(file: string): string {
  return readFileSync(join(ROOT, file), 'utf8');
}

function countsOf(ran: readonly Ran[]): string {
  return `${new Set(ran.map(({ file }) => file)).size} / ${ran.length}`;
}

const READS: ReadonlySet<string> = new Set(['get', 'list', 'sourceByWriteKey', 'tokenByHash']);

function readsOf(ran: readonly Ran[]): number {
  return ran.filter(({ file, name }) => file === 'storage/file/resources/low-config-store.ts' && READS.has(name))
    .length;
}

/** In the port and one engine; who calls a verb is another matter. */
function mostPlaces(files: readonly Source[]): number {
  const storage = files.filter(({ file }) => /^server\/storage\/(?:[\w-]+\.ts$|file\/)/.test(file));
  const placesOf = (verb: string): number =>
    storage.filter(({ text }) => new RegExp(`\\b${verb}\\b\\s*[(:,]`).test(text)).length;
  // Words of every language, such as `list` and `read`, are found everywhere.
  return Math.max(
    ...Object.keys(VERBS)
      .filter((verb) => /[A-Z]/.test(verb))
      .map(placesOf),
  );
}

/**
 * Places in the testbed and the tests that store acceptances past the pipeline, conformance of storage apart. What stands in for a
 * storage and passes on what it is asked is none.
 */
function waysIn(): number {
  const files = globSync(['testbed/**/*.ts', 'server/tests/support/*.ts'], {
    cwd: ROOT,
    exclude: ['**/node_modules/**'],
  });
  return files.filter((file) => /(?<!accept: \(\w+\) => )\b(?:deliveries|store|storage)\.accept\(/.test(read(file)))
    .length;
}
