/** `node scripts/docs/testbed-pages.ts` writes the tables of docs/results/testbed.md anew. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../generate/root.ts';
import { TABLES, withTable } from './testbed-tables.ts';

const PAGE = join(ROOT, 'docs/results/testbed.md');

const page = Object.entries(TABLES).reduce(
  (text, [name, table]) => withTable(text, name, table()),
  readFileSync(PAGE, 'utf8'),
);
writeFileSync(PAGE, page);
console.log('docs/results/testbed.md is fresh');
