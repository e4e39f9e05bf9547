import { spawnSync } from 'node:child_process';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { basename, join } from 'node:path';
import { ROOT } from '../generate/root.ts';
import type { ProveResult } from '../prove/table.ts';
import type { AgainstResult } from './against-section.ts';
import type { KillsRow, SqlResult, WorldsRow } from './audiences-page.ts';
import type { BenchResult } from './bench-page.ts';
import type { CrashResult, LimitKillsResult, OrderKillsResult } from './crash-page.ts';
import type { FaultsRow } from './faults-page.ts';
import type { FirstStepsResult } from './first-steps-page.ts';
import type { GateResult } from './gate-section.ts';
import type { HostileResult } from './hostile-page.ts';
import type { StructureResult } from '../walk/figures.ts';
import type { ImportResult } from './import-segment-page.ts';
import type { MutationResult } from './mutation-page.ts';
import type { PeersResult } from './peers-page.ts';
import type { RollingUpdateResult } from './rolling-update-page.ts';
import type { SchemesResult } from './schemes-page.ts';
import type { SoakResult } from './soak-page.ts';
import type { FloodsResult, StrangersResult } from './strangers-page.ts';
import type { TestsResult } from './tests-page.ts';

const FOLDER = join(ROOT, 'docs/results');

/** Where figures come from. */
export interface Origin {
  /** What shows them again. */
  readonly command: string;
  readonly date: string;
  /** Of the code that was measured; it ends in `-dirty` where that was not committed. */
  readonly commit: string;
  readonly machine: string;
}

/** Figures that were kept a moment ago, and pages of them, are no code: the next that are measured are of a commit as well. */
const CHANGED = ['status', '--porcelain', '--untracked-files=no', '--', '.', ':!docs'];

/** That of figures that are measured now. */
export function originNow(command: string): Origin {
  const [first] = cpus();
  return {
    command,
    date: new Date().toISOString().slice(0, 10),
    commit: `${git(['rev-parse', '--short=8', 'HEAD'])}${git(CHANGED) && '-dirty'}`,
    machine: `${cpus().length} × ${first?.model.trim() ?? 'unknown'}, Node ${process.versions.node}, ${process.platform}`,
  };
}

function git(words: readonly string[]): string {
  return spawnSync('git', words, { cwd: ROOT, encoding: 'utf8' }).stdout.trim();
}

/** Of several runs, with the origin of the last of them. */
export interface Rows<Row> extends Origin {
  readonly rows: readonly Row[];
}

/** With a row more, in place of those that it stands for. */
export function withRow<Row extends Origin>({ rows }: Rows<Row>, row: Row, isSame: (one: Row) => boolean): Rows<Row> {
  const { command, date, commit, machine } = row;
  return { command, date, commit, machine, rows: [...rows.filter((one) => !isSame(one)), row] };
}

/** What is kept, by its name. */
interface Results {
  readonly 'audience-kills': Rows<KillsRow>;
  readonly 'audience-sql': SqlResult;
  readonly 'audience-worlds': Rows<WorldsRow>;
  readonly crash: CrashResult;
  readonly 'crash-postgres': CrashResult;
  readonly faults: Rows<FaultsRow>;
  readonly 'first-steps': FirstStepsResult;
  readonly floods: FloodsResult;
  readonly gate: GateResult;
  readonly hostile: HostileResult;
  readonly 'import-segment': ImportResult;
  readonly mutation: MutationResult;
  readonly 'limit-kills': LimitKillsResult;
  readonly 'order-kills': OrderKillsResult;
  readonly peers: PeersResult;
  readonly prove: ProveResult;
  readonly 'rolling-update': RollingUpdateResult;
  readonly schemes: SchemesResult;
  readonly soak: SoakResult;
  readonly strangers: StrangersResult;
  readonly structure: StructureResult;
  readonly tests: TestsResult;
  readonly [against: `against-${string}`]: AgainstResult;
  readonly [bench: `bench-${string}`]: BenchResult;
}

export function resultNames(): readonly string[] {
  return globSync('*.json', { cwd: FOLDER })
    .map((file) => basename(file, '.json'))
    .toSorted();
}

export function readResult<Name extends keyof Results>(name: Name): Results[Name] {
  const result: Results[Name] = JSON.parse(readFileSync(fileOf(name), 'utf8'));
  return result;
}

export function writeResult<Name extends keyof Results>(name: Name, result: Results[Name]): void {
  writeFileSync(fileOf(name), `${JSON.stringify(result, null, 2)}\n`);
}

/** For the top of a page or section. */
export function originLine({ command, date, commit, machine }: Origin): string {
  return `\`${command}\` · ${date} · commit ${commit} · ${machine}`;
}

/** Cells are escaped. */
export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n');
}

/** What was measured, and the figure. */
export function figuresTable(figures: readonly (readonly [what: string, figure: number])[]): string {
  const rows = figures.map(([what, figure]) => [what, figure.toLocaleString('en')]);
  return markdownTable(['figure', 'measured'], rows);
}

function line(cells: readonly string[]): string {
  return `| ${cells.map(cell).join(' | ')} |`;
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ');
}

function fileOf(name: string): string {
  return join(FOLDER, `${name}.json`);
}
