import type { BackEnd } from '../fault-script/back-end.ts';
import type { BackEndName, ParityRow } from './vocabulary.ts';
import { PARITY, simulatedOutcome, stepOf } from './vocabulary.ts';

const NAMES = ['sockets', 'nock', 'msw'] as const satisfies readonly BackEndName[];
const TITLES = { sockets: 'receiver', nock: 'nock', msw: 'MSW' } as const;

/** The parity table of docs/results/testbed.md, from the data that the parity tests prove, with the refusals as footnotes. */
export function parityTable(backEnds: { readonly [B in BackEndName]: BackEnd }): string {
  const reasons: string[] = [];
  const noteOf = (reason: string): number => {
    if (!reasons.includes(reason)) reasons.push(reason);
    return reasons.indexOf(reason) + 1;
  };
  const cellsOf = (row: ParityRow): string => {
    const differences = NAMES.flatMap((name) => differenceOf(row, name, backEnds[name], noteOf));
    return `\`${simulatedOutcome(row)}\` | ${differences.join('; ') || '–'}`;
  };
  const groups = Map.groupBy(PARITY, cellsOf);
  const rows = [...groups].map(([cells, group]) => `| ${group.map(({ step }) => code(step)).join(' ')} | ${cells} |`);
  const head = ['| step | outcome | differs |', '|---|---|---|'];
  return [...head, ...rows, '', ...reasons.map((reason, index) => `${index + 1}. ${reason}`)].join('\n');
}

/** What a back-end makes of a step, where that is not what virtual time makes of it. */
function differenceOf(
  row: ParityRow,
  name: BackEndName,
  backEnd: BackEnd,
  noteOf: (reason: string) => number,
): readonly string[] {
  const outcome = row.outcomes[name];
  if (outcome === undefined) {
    const note = noteOf(backEnd.refuses(stepOf(row)) ?? 'no reason');
    return [`${TITLES[name]} rejects (${note})`];
  }
  return outcome === simulatedOutcome(row) ? [] : [`${TITLES[name]}: \`${outcome}\``];
}

function code(step: string): string {
  return `\`${step.replaceAll('|', '\\|')}\``;
}
