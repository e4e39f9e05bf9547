import { batteryTable } from '../../testbed/parity/battery.ts';
import { parityTable } from '../../testbed/parity/parity-table.ts';
import { MSW } from '../../testbed/msw/back-end.ts';
import { NOCK } from '../../testbed/nock/back-end.ts';
import { OUTAGES } from '../../testbed/outages/outages.ts';
import { SOCKETS } from '../../testbed/receiver/performer.ts';
import { FLAWED_RECEIVERS } from '../../testbed/tests/support/flawed-receivers.ts';

/** The tables of docs/testbed/ that follow from data, by the name of their markers; that of the senders has to be run. */
export const TABLES: Readonly<Record<string, () => string>> = {
  battery: batteryTable,
  parity: () => parityTable({ sockets: SOCKETS, nock: NOCK, msw: MSW }),
  outages: outageTable,
  receivers: receiverTable,
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

function outageTable(): string {
  const rows = OUTAGES.map(({ name, story, expects }) => `| \`${name}\` | ${story} | ${expects} |`);
  return ['| outage | what happens | what the router does |', '|---|---|---|', ...rows].join('\n');
}

function receiverTable(): string {
  const names = Object.keys(FLAWED_RECEIVERS);
  const list = names.map((name) => `- ${name}`).join('\n');
  return `${names.length} of ${names.length} flawed receivers are caught (100 %): a receiver that …\n\n${list}`;
}
