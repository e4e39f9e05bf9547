import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../../../scripts/generate/root.ts';

const PAGES = globSync(['*.md', 'docs/**/*.md', 'client/README.md'], { cwd: ROOT });

/** The README of the client is read beside its pages: the package has them in `docs/`. */
const MOVED: Readonly<Record<string, string>> = { 'client/README.md': 'docs/client/README.md' };

/** Links that lead to no file, or to no heading of it. */
function dangling(page: string, text: string): string[] {
  const folder = dirname(MOVED[page] ?? page);
  return [...text.matchAll(/\]\((?!https?:)([^)#\s]*)(#[^)]*)?\)/g)].flatMap(([link, path = '', anchor = '']) => {
    const inPlace = MOVED[page] === undefined ? path : path.replace(/^docs\//, '');
    const target = path === '' ? page : normalize(join(folder, inPlace));
    if (!existsSync(join(ROOT, target))) return [`${page}: ${link}`];
    return anchor === '' || headings(target).includes(anchor.slice(1)) ? [] : [`${page}: ${link}`];
  });
}

function headings(page: string): readonly string[] {
  const text = readFileSync(join(ROOT, page), 'utf8');
  return [...text.matchAll(/^#+ (.*)$/gm)].map(([, head = '']) =>
    head
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-'),
  );
}

test('links between pages lead to files and headings', () => {
  expect(PAGES.length).toBeGreaterThan(20);
  expect(PAGES.flatMap((page) => dangling(page, readFileSync(join(ROOT, page), 'utf8')))).toEqual([]);
});

test('a link to a missing file or heading is found', () => {
  const text = '[a](docs/none.md), [b](docs/retries.md#none), [c](docs/retries.md), [d](#waybill)';
  expect(dangling('README.md', text)).toEqual(['README.md: ](docs/none.md)', 'README.md: ](docs/retries.md#none)']);
});

/** Numbers that more than one record has, or that its heading does not. */
function numberFaults(records: Readonly<Record<string, string>>): string[] {
  const names = Object.keys(records);
  const shared = names.filter((name) =>
    names.some((other) => other !== name && other.slice(0, 3) === name.slice(0, 3)),
  );
  return [...shared, ...names.filter((name) => !records[name]?.startsWith(`# ${name.slice(0, 3)} `))];
}

test('each record of a decision has a number of its own, in its name and its heading', () => {
  const names = globSync('*.md', { cwd: join(ROOT, 'decisions') });
  const records = Object.fromEntries(names.map((name) => [name, readFileSync(join(ROOT, 'decisions', name), 'utf8')]));
  expect(names.length).toBeGreaterThan(20);
  expect(numberFaults(records)).toEqual([]);
  expect(numberFaults({ '001-a.md': '# 001 A', '001-b.md': '# 002 B' })).toEqual(['001-a.md', '001-b.md', '001-b.md']);
});

/** Ids that more than one decision has. */
function doubledIds(page: string): string[] {
  const ids = [...page.matchAll(/^- \*\*(D-[^*]+?):?\*\*/gm)].flatMap(([, names = '']) => names.match(/D-\d+/g) ?? []);
  return ids.filter((id, at) => ids.indexOf(id) !== at);
}

test('each decision has an id of its own', () => {
  const page = readFileSync(join(ROOT, 'docs/decisions.md'), 'utf8');
  expect(page.match(/^- \*\*D-/gm)?.length).toBeGreaterThan(50);
  expect(doubledIds(page)).toEqual([]);
  expect(doubledIds('- **D-1:** This.\n- **D-2:** That.\n- **D-1:** Those.')).toEqual(['D-1']);
});
