import { globSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type Finding, ok, warning } from './finding.ts';

/** File systems and clocks differ by a little. */
const TOLERANCE_MS = 60_000;

/** A clock that was set back shows in files that were written later than it says. */
export function checkClock(folder: string, now: number): Finding {
  const times = globSync('{*.sqlite*,config/*}', { cwd: folder }).map((name) => timeOf(join(folder, name)));
  const latest = Math.max(0, ...times);
  const words = `it is ${new Date(now).toISOString()}`;
  if (latest <= now + TOLERANCE_MS) return ok('clock', words);
  const way = 'set the clock, and keep it right with NTP';
  return warning('clock', `${words}, and data was written at ${new Date(latest).toISOString()}: ${way}`);
}

/** SQLite removes files when it likes. */
function timeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
