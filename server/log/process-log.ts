import { pino } from 'pino';
import type { Log } from '../ports/log.ts';
import { LogOutput } from './log-output.ts';

/** The log of the router as a process. */
export interface ProcessLog extends Log {
  readonly dropped: number;
  /** Resolves when every line has left the process, or after `limitMs`; to be awaited before an exit. */
  drained(limitMs: number): Promise<void>;
}

/** Writes JSON lines to standard output. */
export function createProcessLog(level: string): ProcessLog {
  const output = new LogOutput(process.stdout, (dropped) => {
    logger.warn({ dropped }, 'lines were dropped while the log could not be written');
  });
  const logger = pino({ level, base: null }, output);
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
