import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

/** The test files in whose text, or in the text of what they import from a folder of tests, a test may name a rule. */
export class TestFiles {
  readonly #root: string;
  /** The ids that each test file names. */
  readonly #named: ReadonlyMap<string, ReadonlySet<string>>;

  constructor(root: string) {
    this.#root = root;
    const files = globSync('{server,client,cli,testbed,scripts}/**/*.test.ts', {
      cwd: root,
      exclude: ['**/node_modules'],
    });
    this.#named = new Map(files.map((file) => [file, new Set(this.#idsOf(file))]));
  }

  /** Those that name one of the rules; first the ones whose folder says that they prove rules, since they are quick. */
  naming(rules: readonly string[]): { near: string[]; far: string[] } {
    const files = [...this.#named].flatMap(([file, ids]) => (rules.some((rule) => ids.has(rule)) ? [file] : []));
    return { near: files.filter(isNear), far: files.filter((file) => !isNear(file)) };
  }

  #idsOf(file: string, seen = new Set<string>()): string[] {
    if (seen.has(file)) return [];
    seen.add(file);
    const text = readFileSync(join(this.#root, file), 'utf8');
    const imported = [...text.matchAll(/^(?:import|export|}) .*from '(\.[^']+\.ts)'/gm)].map(([, path = '']) =>
      relative(this.#root, join(this.#root, dirname(file), path)),
    );
    const facts = imported.filter((path) => path.includes('/tests/')).flatMap((path) => this.#idsOf(path, seen));
    return [...(text.match(/\b[A-Z]+-\d+\b(?=[^\n:]*: )/g) ?? []), ...facts];
  }
}

function isNear(file: string): boolean {
  return file.includes('/tests/rules/');
}

/** Chooses the tests whose names have one of these rules before their first colon. */
export function namePattern(rules: readonly string[]): string {
  return `^(?:(?!: ).)*\\b(?:${rules.join('|')})\\b.*?: `;
}

/** Chooses the tests of these names, whatever stands between them and the names of their groups. */
export function exactly(names: readonly string[]): string {
  const escaped = new Set(
    names.map((name) => name.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`).replaceAll(' ', '(?: | > )')),
  );
  return `^(?:${[...escaped].join('|')})$`;
}
