import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../generate/root.ts';
import { STATED_IN } from './stated-versions.ts';

const COMMAND = join(ROOT, 'node_modules/@changesets/cli/bin.js');

/** How a change is announced, by what it asks of the version. */
const TITLES = { major: 'Breaking changes', minor: 'New', patch: 'Fixed' } as const;
type Kind = keyof typeof TITLES;

/** What `changeset status` says of the changesets that wait. */
interface Plan {
  readonly changesets: readonly {
    readonly summary: string;
    readonly releases: readonly { readonly type: Kind | 'none' }[];
  }[];
}

/**
 * Gives a clone the version that its changesets ask for: in every manifest and in every file that states it. Their summaries become a
 * section of CHANGELOG.md, and they are removed. Answers the version.
 */
export function nextVersion(root: string): string {
  const { changesets } = planOf(root);
  if (changesets.length === 0) throw new Error('No changeset waits in .changeset, so there is nothing to release');
  const before = versionIn(root);
  changeset(root, 'version');
  const version = versionIn(root);
  for (const file of STATED_IN) edit(join(root, file), (text) => withVersion(text, before, version));
  edit(join(root, 'package-lock.json'), (text) => lockWith(text, before, version));
  edit(join(root, 'CHANGELOG.md'), (text) => text.replace(/^## /m, `${sectionOf(version, changesets)}\n## `));
  return version;
}

function planOf(root: string): Plan {
  const folder = mkdtempSync(join(tmpdir(), 'waybill-plan-'));
  try {
    changeset(root, 'status', '--output', join(folder, 'plan.json'));
    const plan: Plan = JSON.parse(readFileSync(join(folder, 'plan.json'), 'utf8'));
    return plan;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function changeset(root: string, ...args: readonly string[]): void {
  const { status, stdout, stderr } = spawnSync(process.execPath, [COMMAND, ...args], { cwd: root, encoding: 'utf8' });
  if (status !== 0) throw new Error(`changeset ${args[0]} failed:\n${stdout}${stderr}`);
}

function versionIn(root: string): string {
  const { version }: { readonly version: string } = JSON.parse(readFileSync(join(root, 'server/package.json'), 'utf8'));
  return version;
}

/** The version alone: `1.2.3` is no part of `11.2.3` or `1.2.30`. */
export function withVersion(text: string, before: string, version: string): string {
  return text.replaceAll(
    new RegExp(String.raw`(?<![\d.])${before.replaceAll('.', String.raw`\.`)}(?!\d|\.\d)`, 'g'),
    version,
  );
}

/** The packages of the workspace alone: others may have the same version. */
function lockWith(text: string, before: string, version: string): string {
  const lock: { version: string; packages: Record<string, { version?: string }> } = JSON.parse(text);
  lock.version = version;
  for (const [path, entry] of Object.entries(lock.packages)) {
    if (!path.includes('node_modules/') && entry.version === before) entry.version = version;
  }
  return `${JSON.stringify(lock, null, 2)}\n`;
}

function sectionOf(version: string, changesets: Plan['changesets']): string {
  const kinds: readonly Kind[] = ['major', 'minor', 'patch'];
  const parts = kinds.flatMap((kind) => {
    const changes = changesets.filter(({ releases }) => kindOf(releases) === kind);
    const lines = changes.map(({ summary }) => `- ${summary.trim().replaceAll(/\s*\n\s*/g, ' ')}\n`);
    return lines.length === 0 ? [] : [`### ${TITLES[kind]}\n\n${lines.toSorted().join('')}`];
  });
  return `## ${version}\n\n${parts.join('\n')}`;
}

function kindOf(releases: Plan['changesets'][number]['releases']): Kind | undefined {
  const kinds: readonly Kind[] = ['major', 'minor', 'patch'];
  return kinds.find((kind) => releases.some(({ type }) => type === kind));
}

function edit(file: string, change: (text: string) => string): void {
  writeFileSync(file, change(readFileSync(file, 'utf8')));
}
