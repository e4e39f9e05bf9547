import { existsSync, readFileSync } from 'node:fs';

const FILE = '/proc/stat';

/** Processor time of all cores since the machine started, in ticks, and what of it the host gave to other machines. */
export interface ProcessorTime {
  readonly all: number;
  readonly stolen: number;
}

/** Undefined where the system does not tell. */
export function processorTime(): ProcessorTime | undefined {
  return existsSync(FILE) ? parseProcessorTime(readFileSync(FILE, 'utf8')) : undefined;
}

/** The first line: `cpu`, then user, nice, system, idle, iowait, irq, softirq and steal (proc_stat(5)). */
export function parseProcessorTime(text: string): ProcessorTime {
  const ticks = text.slice(0, text.indexOf('\n')).trim().split(/\s+/).slice(1, 9).map(Number);
  return { all: ticks.reduce((sum, value) => sum + value, 0), stolen: ticks[7] ?? 0 };
}

/** The share of the processors that other machines had between two moments, from 0 to 1. */
export function stolenShare(before: ProcessorTime, after: ProcessorTime): number {
  const all = after.all - before.all;
  return all === 0 ? 0 : (after.stolen - before.stolen) / all;
}
