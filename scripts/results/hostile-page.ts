import { megabytes } from '../hostile/printout.ts';
import { markdownTable, type Origin, originLine, readResult } from './result.ts';

export interface HostileResult extends Origin {
  readonly deadlineMs: number;
  readonly attempts: number;
  readonly rows: readonly HostileFigures[];
}

/** What one fault cost; the longest slot, and memory and processor of all attempts together. */
export interface HostileFigures {
  readonly fault: string;
  readonly outcome: string;
  readonly slotMs: number;
  readonly growthBytes: number;
  readonly cpuMs: number;
}

export function hostilePage(): string {
  const result = readResult('hostile');
  const rows = result.rows.map(({ fault, outcome, slotMs, growthBytes, cpuMs }) => {
    return [fault, outcome, slotMs.toFixed(0), megabytes(growthBytes), cpuMs.toFixed(0)];
  });
  return `# Hostile receivers

What a receiver can do to the router, and what it costs ([why](../reliability.md#hostile-receivers)). ${result.attempts} attempts at once at each, with a
deadline of ${result.deadlineMs} ms. *Slot* is the longest that one of them took, *memory* how far the resident memory of the sender grew, *processor*
the time that all of them cost. The command fails when an outcome is another, when a slot is held for 100 ms longer than the deadline, or until
the deadline where the receiver could have freed it, or when memory grows by more than 10 MB.

${originLine(result)}

${markdownTable(['fault', 'outcome', 'slot, ms', 'memory, MB', 'processor, ms'], rows)}
`;
}
