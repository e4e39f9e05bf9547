import type { SetResult } from '../peers/project.ts';
import { CLIENT_SETS } from '../peers/client-sets.ts';
import { PARTS, type Part, REASONS, type Runtime, RUNTIMES, SETS } from '../peers/sets.ts';
import { markdownTable, type Origin, originLine, readResult } from './result.ts';

/** A set, and when and of what it was tried. */
export type SavedSet = SetResult & Pick<Origin, 'date' | 'commit'>;

/** The packed testbed beside the packages that people have; with the origin of the set that was tried last. */
export interface PeersResult extends Origin {
  readonly sets: readonly SavedSet[];
}

const UNTRIED = 'not tried';

export function peersPage(): string {
  const result = readResult('peers');
  const saved = new Map(result.sets.map((set) => [set.name, set]));
  const runners = SETS.filter(({ name }) => !name.endsWith(', each entry'));
  const rows = runners.map(({ name, packages }) => runnerRow(packages, saved.get(name)));
  return `# Beside other packages

The packed testbed and client, installed by npm in an empty project with packages that a project may have ([the testbed](../testbed.md), [the client](../client/package.md)).

${originLine(result)}

## Test runners

With Vitest, the examples run; with Jest and \`node:test\`, tests with a receiver and the matchers.

${markdownTable(['Node', 'runner', 'MSW', 'nock', 'result', 'date and commit'], rows)}

## Entries and commands

Each is used in a process of its own for what it is for.

${entriesTable(saved)}

${[...notes()].map(([reason, number]) => `${number}. ${reason}`).join('\n')}

## The client

On each runtime it configures a router, sends it an event, and verifies the webhook; each TypeScript checks a program, and the declarations of the package.

${clientTable(saved)}
`;
}

function clientTable(saved: ReadonlyMap<string, SavedSet>): string {
  const rows = CLIENT_SETS.map(({ name, packages: [first = ''] }) => {
    const [runtime = '', asked = ''] = first.split('@');
    const set = saved.get(name);
    if (set === undefined) return [runtime, asked, UNTRIED, '–'];
    const result = set.runs.every(({ works }) => works) ? 'passed' : 'failed';
    return [runtime, set.versions[runtime] ?? asked, result, `${set.date} · ${set.commit}`];
  });
  return markdownTable(['runtime or compiler', 'version', 'result', 'date and commit'], rows);
}

/** Versions are those that were installed, or else those that were asked for. */
function runnerRow(packages: readonly string[], saved: SavedSet | undefined): readonly string[] {
  const asked = new Map(packages.map((one) => [one.replace(/@[^@]*$/, ''), one.replace(/^.*@/, '')]));
  const version = (name: string) => saved?.versions[name] ?? asked.get(name) ?? '–';
  const runner = ['vitest', 'jest'].find((name) => asked.has(name));
  const called = runner === undefined ? 'node:test' : `${runner} ${version(runner)}`;
  const versions = [version('node'), called, version('msw'), version('nock')];
  if (saved === undefined) return [...versions, UNTRIED, '–'];
  const passed = saved.runs.every(({ works }) => works);
  return [...versions, passed ? 'passed' : 'failed', `${saved.date} · ${saved.commit}`];
}

function entriesTable(saved: ReadonlyMap<string, SavedSet>): string {
  const columns = RUNTIMES.map((runtime) => ({ runtime, set: saved.get(`${runtime}, each entry`) }));
  const head = columns.map(({ runtime, set }) => {
    const [name = '', asked = ''] = runtime.split('@');
    return `${name[0]?.toUpperCase()}${name.slice(1)} ${set?.versions[name] ?? asked}`;
  });
  const rows = PARTS.map((part) => [`\`${part}\``, ...columns.map(({ runtime, set }) => cell(runtime, part, set))]);
  return markdownTable(['entry', ...head], rows);
}

function cell(runtime: Runtime, part: Part, set: SavedSet | undefined): string {
  if (set === undefined) return UNTRIED;
  const reason = REASONS[runtime]?.[part];
  if (set.runs.some(({ name, works }) => name === part && works)) return 'works';
  return reason === undefined ? 'fails' : `fails (${notes().get(reason)})`;
}

/** Each reason once, with its number. */
function notes(): ReadonlyMap<string, number> {
  const reasons = RUNTIMES.flatMap((runtime) => Object.values(REASONS[runtime] ?? {}));
  return new Map([...new Set(reasons)].map((reason, index) => [reason, index + 1]));
}
