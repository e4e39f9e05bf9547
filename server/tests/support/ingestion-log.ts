import type { Log } from '../../ports/log.ts';

type Level = 'debug' | 'info' | 'warn' | 'error';

interface Line {
  readonly level: Level;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly message: string;
}

/** Keeps the lines that are logged. */
export class RecordingLog implements Log {
  readonly lines: Line[] = [];
  readonly debug = this.#writer('debug');
  readonly info = this.#writer('info');
  readonly warn = this.#writer('warn');
  readonly error = this.#writer('error');

  #writer(level: Level): Log['info'] {
    return (fields, message) => void this.lines.push({ level, fields, message });
  }
}
