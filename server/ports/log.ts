type Line = (fields: Readonly<Record<string, unknown>>, message: string) => void;

/** Structured log lines. Fields hold names, counts and outcomes; never tokens, keys, secrets or header values. */
export interface Log {
  readonly debug: Line;
  readonly info: Line;
  readonly warn: Line;
  readonly error: Line;
  /** Lines that were dropped, as nobody took them; absent where none ever is. */
  readonly dropped?: number;
}
