import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../generate/root.ts';

/** Pieces of a document that are run as they are written. */
export interface Walk {
  readonly receiver: string;
  readonly shell: string;
  readonly later: string;
}

/** Reads the marked blocks of a document, each text of it replaced by another: ports, and names of files. */
export function walkOf(name: string, replace: Readonly<Record<string, string>>): Walk {
  // All at once: what was put in for one of them may look like another.
  const names = Object.keys(replace).map((text) => text.replaceAll('.', String.raw`\.`));
  const wanted = new RegExp(names.join('|'), 'g');
  const document = readFileSync(join(ROOT, 'docs', name), 'utf8').replaceAll(wanted, (from) => replace[from] ?? from);
  const blocks = [...document.matchAll(/<!-- walk: (\w+) -->\n```\w+\n([\s\S]*?)```/g)];
  const of = (kind: string) => blocks.flatMap(([, marked, block]) => (marked === kind ? [block ?? ''] : [])).join('\n');
  return { receiver: of('receiver'), shell: of('shell'), later: of('later') };
}
