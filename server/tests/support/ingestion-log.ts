import type { Log } from '../../ports/log.ts';

interface Line {
  readonly level: keyof Log;
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

  #writer(level: keyof Log): Log['info'] {
    return (fields, message) => void this.lines.push({ level, fields, message });
  }
}
