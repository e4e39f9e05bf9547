import { pino } from 'pino';
import type { Log } from '../../ports/log.ts';
import { safeText } from '../../safe-text.ts';
import { LogOutput } from './log-output.ts';

/** The log of the router as a process. */
export interface ProcessLog extends Log {
  readonly dropped: number;
  /** Resolves when every line has left the process, or after `limitMs`; to be awaited before an exit. */
  drained(limitMs: number): Promise<void>;
}

/** Writes to standard output: JSON lines, or at a terminal what a person can read. */
export function createProcessLog(level: string, isTerminal: boolean): ProcessLog {
  const output = new LogOutput(process.stdout, (dropped) => {
    logger.warn({ dropped }, 'lines were dropped while the log was blocked');
  });
  const lines = { write: (line: string) => output.write(safeText(isTerminal ? terminalLine(line) : line)) };
  const logger = pino({ level, base: null }, lines);
  // What ends the process by surprise is told by the lines before it.
  process.once('exit', () => output.flush());
  return {
    debug: logger.debug.bind(logger),
    info: logger.info.bind(logger),
    warn: logger.warn.bind(logger),
    error: logger.error.bind(logger),
    get dropped() {
      return output.dropped;
    },
    drained: (limitMs) => output.drained(limitMs),
  };
}

const WARNING = 40;
const ERROR = 50;

/** A line of the log as a person reads it: `12:00:01 warning: attempt failed {"outcome":"http_5xx"}`. */
function terminalLine(json: string): string {
  const { level, time, msg, ...fields }: Record<string, unknown> = JSON.parse(json);
  const clock = new Date(Number(time)).toTimeString().slice(0, 8);
  const details = Object.keys(fields).length === 0 ? '' : ` ${JSON.stringify(fields)}`;
  return `${clock} ${label(Number(level))}${String(msg)}${details}\n`;
}

function label(level: number): string {
  if (level >= ERROR) return 'error: ';
  return level >= WARNING ? 'warning: ' : '';
}
