import { safely } from './emitter.ts';
import type { Settings } from './options.ts';
import { thrownText } from './thrown.ts';

/** What the library logs to; `console` is one. Lines hold counts, ids and reasons, never keys or message contents. */
export interface Logger {
  debug(message: string): void;
  warn(message: string): void;
  error(message: string): void;
}

/** Different warnings that are told apart between two moments of an empty queue; beyond them all is silent. */
const MAX_WARNINGS = 100;

/** Warnings always, debug lines on demand (LIB-15), and no warning twice in a row of troubles. */
export class Journal {
  readonly #settings: Settings;
  /** Whether debug lines are written; may be switched at any time. */
  debugOn: boolean;
  /** What was warned of since `forget`. */
  readonly #warned = new Set<string>();

  constructor(settings: Settings) {
    this.#settings = settings;
    this.debugOn = settings.debug;
  }

  /** The text is made only when it is wanted. */
  debug(text: () => string): void {
    if (this.debugOn) this.#write('debug', text());
  }

  warn(text: string): void {
    if (this.#warned.has(text) || this.#warned.size >= MAX_WARNINGS) return;
    this.#warned.add(text);
    this.#write('warn', text);
  }

  /** For code that is not the library's own. */
  readonly onThrow = (error: unknown): void => {
    this.#write('error', `a callback or the store threw ${thrownText(error)}`);
  };

  forget(): void {
    this.#warned.clear();
  }

  /** A logger that throws or rejects must not break a call, and there is nowhere left to say it. */
  #write(level: keyof Logger, text: string): void {
    safely(
      () => this.#settings.logger[level](`[waybill] ${text}`),
      () => {},
    );
  }
}
