import type { Count } from '../bench/gate/work.ts';
import { markdownTable, type Origin, originLine } from './result.ts';

/** What `npm run bench -- --gate` compares with. */
export interface GateResult extends Origin {
  /** Other versions of Node take other instructions for the same. */
  readonly node: string;
  readonly counts: readonly Count[];
}

const HOW = `Instructions that callgrind counts while a router does fixed work, interpreted and one request after the other:
they hardly change with the machine or with what else it does. More than a twentieth above these fails the gate.`;

export function gateSection(result: GateResult): string {
  const rows = result.counts.map(({ what, instructions }) => [what, instructions.toLocaleString('en')]);
  return `## Gate\n\n${HOW}\n\n${originLine(result)}\n\n${markdownTable(['work', 'instructions'], rows)}\n`;
}
