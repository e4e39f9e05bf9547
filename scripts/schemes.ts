/**
 * `npx node scripts/schemes.ts [bodies] [--save]`: the schemes of other senders against their own packages, both ways, with so
 * many random bodies each (10,000 when not given); `npm test` tries 300.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from './generate/root.ts';
import { writePages } from './results/pages.ts';
import { originNow, writeResult } from './results/result.ts';
import type { SchemeRow } from './results/schemes-page.ts';

interface TestResult {
  readonly ancestorTitles: readonly string[];
  readonly title: string;
  readonly status: string;
}

interface TestReport {
  readonly testResults: readonly { readonly assertionResults: readonly TestResult[] }[];
}

/** What a test begins with that is about one way; others are about one request. */
const WAYS = { 'what the kit signs': 'there', 'what is signed': 'here' } as const;
const ED25519 = 'standard webhooks, Ed25519, by the specification';

const args = process.argv.slice(2);
const bodies = Number(args.find((arg) => arg !== '--save') ?? 10_000);
if (!(Number.isInteger(bodies) && bodies > 0)) throw new RangeError(`the number of bodies is ${bodies}; give 10000`);

const origin = originNow(`npx node scripts/schemes.ts ${bodies}`);
const rows = readRows(bodies);
for (const { oracle, way, passed } of rows) console.log(`${passed ? '✓' : '✗'} ${oracle}: ${way}`);
const holds = rows.length > 0 && rows.every(({ passed }) => passed);
if (args.includes('--save') && holds) {
  writeResult('schemes', { ...origin, bodies, rows });
  writePages();
}
process.exitCode = holds ? 0 : 1;

/** Runs the tests of the oracles, and reads what they found. */
function readRows(runs: number): readonly SchemeRow[] {
  const folder = mkdtempSync(join(tmpdir(), 'waybill-schemes-'));
  try {
    const file = join(folder, 'report.json');
    const tests = ['vendors', 'ed25519'].map((name) => `testbed/tests/schemes/${name}.test.ts`);
    const flags = ['run', ...tests, '--reporter=json', `--outputFile.json=${file}`];
    const env = { ...process.env, WAYBILL_SCHEME_RUNS: String(runs) };
    const { stderr } = spawnSync(process.execPath, [join(ROOT, 'node_modules/vitest/vitest.mjs'), ...flags], {
      cwd: ROOT,
      env,
      encoding: 'utf8',
    });
    process.stderr.write(stderr);
    const report: TestReport = JSON.parse(readFileSync(file, 'utf8'));
    return report.testResults.flatMap(({ assertionResults }) => assertionResults.flatMap(rowOf));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function rowOf({ ancestorTitles, title, status }: TestResult): readonly SchemeRow[] {
  const oracle = ancestorTitles.at(-1) ?? ED25519;
  const ways = Object.entries(WAYS).filter(([words]) => title.startsWith(words));
  return ways.map(([, way]) => ({ oracle, way, passed: status === 'passed' }));
}
