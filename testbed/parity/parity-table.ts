import type { BackEnd } from '../fault-script/back-end.ts';
import type { BackEndName, ParityRow } from './vocabulary.ts';
import { PARITY, simulatedOutcome, stepOf } from './vocabulary.ts';

const NAMES = ['sockets', 'nock', 'msw'] as const satisfies readonly BackEndName[];
const TITLES = { sockets: 'receiver (sockets)', nock: 'nock', msw: 'MSW' } as const;

/** The parity table of docs/testbed.md, from the data that the parity tests prove, with the refusals as footnotes. */
export function parityTable(backEnds: { readonly [B in BackEndName]: BackEnd }): string {
  const reasons: string[] = [];
  const noteOf = (reason: string): number => {
    if (!reasons.includes(reason)) reasons.push(reason);
    return reasons.indexOf(reason) + 1;
  };
  const cellsOf = (row: ParityRow): string =>
    [...NAMES.map((name) => cellOf(row, name, backEnds[name], noteOf)), `\`${simulatedOutcome(row)}\``].join(' | ');
  const groups = Map.groupBy(PARITY, cellsOf);
  const rows = [...groups].map(([cells, group]) => `| ${group.map(({ step }) => code(step)).join(' ')} | ${cells} |`);
  const head = [`| step | ${NAMES.map((name) => TITLES[name]).join(' | ')} | virtual time |`, '|---|---|---|---|---|'];
  return [...head, ...rows, '', ...reasons.map((reason, index) => `${index + 1}. ${reason}`)].join('\n');
}

function cellOf(row: ParityRow, name: BackEndName, backEnd: BackEnd, noteOf: (reason: string) => number): string {
  const outcome = row.outcomes[name];
  if (outcome !== undefined) return `\`${outcome}\``;
  return `refused (${noteOf(backEnd.refuses(stepOf(row)) ?? 'no reason')})`;
}

function code(step: string): string {
  return `\`${step.replaceAll('|', '\\|')}\``;
}
