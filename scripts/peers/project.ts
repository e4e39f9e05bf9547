import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { packedClient } from '../../client/tests/support/packed-client.ts';
import { packedTestbed } from '../../testbed/tests/support/packed-testbed.ts';
import { ROOT } from '../generate/root.ts';
import { startRouterProcess } from '../router/router-process.ts';
import type { PeerRun, PeerSet } from './sets.ts';

/** What became of a set. */
export interface SetResult {
  readonly name: string;
  /** Of the packages in the set, as they were installed. */
  readonly versions: Readonly<Record<string, string>>;
  readonly runs: readonly RunResult[];
}

export interface RunResult {
  readonly name: string;
  readonly works: boolean;
  /** Whether that is as the table of sets has it. */
  readonly isExpected: boolean;
  /** The end of what a run printed that was not expected. */
  readonly output?: string;
}

/** A program that hangs is ended; one that works takes seconds. */
const TIMEOUT_MS = 600_000;

const TOKEN = 'token-of-the-matrix-0123456789';

/** Installs the packed testbed and client beside the packages of a set, from the registry, and runs what the set runs. */
export async function tried(set: PeerSet): Promise<SetResult> {
  const folder = mkdtempSync(join(tmpdir(), 'waybill-peers-'));
  try {
    if (set.needsRouter !== true) return triedIn(folder, set, process.env);
    const local = { 'allow-networks': '127.0.0.0/8', 'data-dir': join(folder, 'data') };
    await using router = await startRouterProcess({ port: '0', token: TOKEN, ...local });
    return triedIn(folder, set, { ...process.env, WAYBILL_URL: router.url, WAYBILL_TOKEN: TOKEN });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function triedIn(folder: string, { name, packages, all }: PeerSet, env: NodeJS.ProcessEnv): SetResult {
  const run = (command: string, given: readonly string[]) => {
    const options = { cwd: folder, env, encoding: 'utf8', timeout: TIMEOUT_MS, killSignal: 'SIGKILL' } as const;
    const { status, stdout, stderr } = spawnSync(command, given, options);
    return { status, output: `${stdout}${stderr}` };
  };
  prepare(folder);
  const files = [packedTestbed().tarball, packedClient().tarball];
  const installed = run('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', ...files, ...packages]);
  if (installed.status !== 0) return { name, versions: {}, runs: [unexpected('npm install', false, installed.output)] };
  const runs = all.map(({ runs: [program, ...args], ...one }): RunResult => {
    const { status, output } = run(join(folder, 'node_modules', program), args);
    return judged(one, status === 0 && one.well.test(output), output);
  });
  return { name, versions: versionsIn(folder, packages), runs };
}

function judged({ name, reason }: Pick<PeerRun, 'name' | 'reason'>, works: boolean, output: string): RunResult {
  return works === (reason === undefined) ? { name, works, isExpected: true } : unexpected(name, works, output);
}

function unexpected(name: string, works: boolean, output: string): RunResult {
  return { name, works, isExpected: false, output: output.split('\n').slice(-30).join('\n') };
}

/** An empty project with the examples and the programs. */
function prepare(folder: string): void {
  // What these install is the runtime itself.
  const allowScripts = { node: true, bun: true, deno: true };
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module', private: true, allowScripts }));
  for (const file of globSync(['testbed/examples/*.ts', 'scripts/peers/programs/*.{js,ts}'], { cwd: ROOT }))
    copyFileSync(join(ROOT, file), join(folder, basename(file)));
}

function versionsIn(folder: string, packages: readonly string[]): Record<string, string> {
  const names = packages.map((one) => one.replace(/@[^@]*$/, ''));
  const manifests = names.map((name) => [name, join(folder, 'node_modules', name, 'package.json')] as const);
  const found = manifests.filter(([, file]) => existsSync(file));
  return Object.fromEntries(found.map(([name, file]) => [name, JSON.parse(readFileSync(file, 'utf8')).version]));
}
