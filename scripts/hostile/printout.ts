import type { HostileFigures } from '../results/hostile-page.ts';
import type { Measured } from './measure.ts';

/** A slot is free so long after its deadline at the latest. */
const TOLERANCE_MS = 100;
const MAX_GROWTH_BYTES = 10 * 1024 * 1024;

export const TABLE_HEAD = `| fault | outcome | slot, ms | memory, MB | processor, ms |\n|---|---|---|---|---|`;

export function tableLine(measured: Measured): string {
  const { row, slotMs, growthBytes, cpuMs } = measured;
  const cells = [row.fault, outcomeText(measured), slotMs.toFixed(0), megabytes(growthBytes), cpuMs.toFixed(0)];
  return `| ${cells.join(' | ')} |`;
}

/** For programs. */
export function figuresOf(measured: Measured): HostileFigures {
  const { row, slotMs, growthBytes, cpuMs } = measured;
  return {
    fault: row.fault,
    outcome: outcomeText(measured),
    slotMs: Math.round(slotMs),
    growthBytes,
    cpuMs: Math.round(cpuMs),
  };
}

/** What was measured and should not be, in words. */
export function faultsOf(measured: Measured, deadlineMs: number): string[] {
  const { row, slotMs, growthBytes, outcomes } = measured;
  const limitMs = deadlineMs + TOLERANCE_MS;
  return [
    outcomes.every((outcome) => outcome === row.outcome) ? '' : `${outcomeText(measured)} instead of ${row.outcome}`,
    slotMs <= limitMs ? '' : `a slot was held for ${slotMs.toFixed(0)} ms, more than ${limitMs} ms`,
    row.until === 'deadline' || slotMs < deadlineMs ? '' : 'a slot was held until the deadline',
    growthBytes <= MAX_GROWTH_BYTES ? '' : `memory grew by ${megabytes(growthBytes)} MB, more than 10 MB`,
  ]
    .filter((fault) => fault !== '')
    .map((fault) => `${row.fault}: ${fault}`);
}

function outcomeText({ outcomes }: Measured): string {
  return [...new Set(outcomes)].join(', ');
}

export function megabytes(bytes: number): string {
  return (bytes / (1024 * 1024)).toFixed(1);
}
