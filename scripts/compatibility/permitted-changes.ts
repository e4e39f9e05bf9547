import { readFileSync } from 'node:fs';
import { contractBreaks } from './contract-breaks.ts';
import type { ReleasedContract } from './released.ts';

/** A break of the released contract that was decided on. */
export interface PermittedChange {
  /** The line that the gate prints for it. */
  readonly change: string;
  /** Why it is safe enough for those who were built for the release. */
  readonly reason: string;
}

export interface Verdict {
  /** Breaks that were decided on, each with its reason. */
  readonly permitted: readonly PermittedChange[];
  readonly faults: readonly string[];
}

/** Compares a contract with its release (CFG-23). A permission has to match a break exactly, and has to be in use. */
export function compareWithRelease({ released, current, permittedChanges }: ReleasedContract): Verdict {
  return judge(contractBreaks(released, current), readPermitted(permittedChanges));
}

/** Without the fault for unused permissions the list would go on permitting what nobody decided on. */
export function judge(breaks: readonly string[], permitted: readonly PermittedChange[]): Verdict {
  const listed = new Set(permitted.map(({ change }) => change));
  return {
    permitted: permitted.filter(({ change }) => breaks.includes(change)),
    faults: [
      ...breaks.filter((change) => !listed.has(change)),
      ...permitted
        .filter(({ change }) => !breaks.includes(change))
        .map(({ change }) => `permitted, but no longer occurs (remove it from the list): ${change}`),
      ...permitted
        .filter(({ reason }) => reason.trim() === '')
        .map(({ change }) => `permitted without a reason: ${change}`),
      ...[...listed]
        .filter((change) => permitted.filter((one) => one.change === change).length > 1)
        .map((change) => `permitted more than once: ${change}`),
    ],
  };
}

function readPermitted(file: string): PermittedChange[] {
  return JSON.parse(readFileSync(file, 'utf8'));
}
