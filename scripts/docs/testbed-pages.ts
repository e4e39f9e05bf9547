/** `node scripts/docs/testbed-pages.ts` writes the tables and the shown files of docs/testbed/ anew. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { killsOf, killTable } from '../../testbed/tests/support/complaints.ts';
import { FLAWED_SENDERS } from '../../testbed/tests/support/flawed-senders.ts';
import { ROOT } from '../generate/root.ts';
import { withShownFiles } from './shown-files.ts';
import { TABLES, withTable } from './testbed-tables.ts';

const FAULTS = join(ROOT, 'docs/testbed/faults.md');
const EXAMPLES = ['docs/testbed.md', 'docs/testbed/examples.md'].map((page) => join(ROOT, page));

const senders = killTable(await killsOf(FLAWED_SENDERS));
const tables = [
  ...Object.entries(TABLES).map(([name, table]) => [name, table()] as const),
  ['senders', senders] as const,
];
const page = tables.reduce((text, [name, table]) => withTable(text, name, table), readFileSync(FAULTS, 'utf8'));
writeFileSync(FAULTS, page);
for (const file of EXAMPLES) writeFileSync(file, withShownFiles(readFileSync(file, 'utf8'), ROOT));
console.log('docs/testbed.md and docs/testbed/ are fresh');
