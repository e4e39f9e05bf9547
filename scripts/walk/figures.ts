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

/** What `server/tests/architecture/structure.test.ts` holds production code to. */
export const BOUNDS = { smallFiles: 40, placesOfVerb: 4 } as const;

interface Walks {
  readonly track: readonly Ran[];
  readonly patch: readonly Ran[];
}

export function figuresOf({ track, patch }: Walks): StructureResult {
  const files = production();
  const places = [...placesOfVerbs(files).values()];
  const figures = [
    { what: 'files / functions that one `track` call runs', value: countsOf(track), aim: '≤ 45 / ≤ 130' },
    { what: 'the same for a change of one field', value: countsOf(patch), aim: '≤ 28 / ≤ 85' },
    { what: 'reads of the configuration for an event', value: readsOf(track), aim: '0' },
    {
      what: 'lines of production code in `server/`',
      value: files.reduce((sum, { text }) => sum + linesOf(text), 0),
      aim: '≤ 13 000',
    },
    { what: 'of its files, those under 20 lines', value: smallFiles(files).length, aim: `≤ ${BOUNDS.smallFiles}` },
    {
      what: 'places where a storage verb is typed, at most',
      value: Math.max(...places.map(({ length }) => length)),
      aim: `≤ ${BOUNDS.placesOfVerb}`,
    },
    { what: 'ways into storage outside of production', value: waysIn(), aim: '0' },
  ];
  return { ...originNow('npm run walk -- --write'), figures };
}

export interface Source {
  /** Below the root of the project. */
  readonly file: string;
  readonly text: string;
}

export function production(): Source[] {
  const exclude = ['**/node_modules/**', '**/tests/**', '**/*.test.ts'];
  return globSync('server/**/*.ts', { cwd: ROOT, exclude }).map((file) => ({ file, text: read(file) }));
}

function read(file: string): string {
  return readFileSync(join(ROOT, file), 'utf8');
}

function countsOf(ran: readonly Ran[]): string {
  return `${new Set(ran.map(({ file }) => file)).size} / ${ran.length}`;
}

const READS: ReadonlySet<string> = new Set(['get', 'list', 'tokenByHash']);

function readsOf(ran: readonly Ran[]): number {
  return ran.filter(({ file, name }) => file === 'storage/file/resources/low-config-store.ts' && READS.has(name))
    .length;
}

function linesOf(text: string): number {
  return text.split('\n').length - 1;
}

/** Each holds less than a reader has to open it for, unless it is one thing of its own. */
export function smallFiles(files: readonly Source[]): readonly string[] {
  return files.filter(({ text }) => linesOf(text) < 20).map(({ file }) => file);
}

/** Where each verb is typed in the port and one engine; who calls it is another matter. */
export function placesOfVerbs(files: readonly Source[]): ReadonlyMap<string, readonly string[]> {
  const storage = files.filter(({ file }) => /^server\/storage\/(?:[\w-]+\.ts$|file\/)/.test(file));
  const placesOf = (verb: string): string[] =>
    storage.filter(({ text }) => new RegExp(`\\b${verb}\\b\\s*[(:,]`).test(text)).map(({ file }) => file);
  // Words of every language, such as `list` and `read`, are found everywhere.
  const verbs = Object.keys(VERBS).filter((verb) => /[A-Z]/.test(verb));
  return new Map(verbs.map((verb) => [verb, placesOf(verb)]));
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
