/** `node scripts/docs/testbed-pages.ts` writes the lists of docs/results/testbed.md and the shown files of docs/testbed.md anew. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../generate/root.ts';
import { withShownFiles } from './shown-files.ts';
import { TABLES, withTable } from './testbed-tables.ts';

const FAULTS = join(ROOT, 'docs/results/testbed.md');
const TESTBED = join(ROOT, 'docs/testbed.md');

const page = Object.entries(TABLES).reduce(
  (text, [name, table]) => withTable(text, name, table()),
  readFileSync(FAULTS, 'utf8'),
);
writeFileSync(FAULTS, page);
writeFileSync(TESTBED, withShownFiles(readFileSync(TESTBED, 'utf8'), ROOT));
console.log('docs/testbed.md and docs/results/testbed.md are fresh');
