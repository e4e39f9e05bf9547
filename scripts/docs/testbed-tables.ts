import { parityTable } from '../../testbed/parity/parity-table.ts';
import { MSW } from '../../testbed/msw/back-end.ts';
import { NOCK } from '../../testbed/nock/back-end.ts';
import { OUTAGES } from '../../testbed/outages/outages.ts';
import { SOCKETS } from '../../testbed/receiver/performer.ts';

/** The lists of docs/results/testbed.md, by the name of their markers. */
export const TABLES: Readonly<Record<string, () => string>> = {
  parity: () => parityTable({ sockets: SOCKETS, nock: NOCK, msw: MSW }),
  outages: outageList,
};

/** A page with what stands between the markers of a table in its place. Throws when the page has no such markers. */
export function withTable(page: string, name: string, table: string): string {
  const [begin, end] = [`<!-- ${name}: written by scripts/docs/testbed-pages.ts -->`, `<!-- /${name} -->`];
  const [before, rest] = page.split(begin);
  const after = rest?.slice(rest.indexOf(end));
  if (before === undefined || after === undefined || !after.startsWith(end))
    throw new Error(`the page has no place for the table ${name}: ${begin} … ${end}`);
  return `${before}${begin}\n\n${table}\n\n${after}`;
}

function outageList(): string {
  return OUTAGES.map(({ name, story, expects }) => `- \`${name}\`: ${story} Expected: ${expects}.`).join('\n');
}
