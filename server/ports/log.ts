type Line = (fields: Readonly<Record<string, unknown>>, message: string) => void;

/** Structured log lines. Fields hold names, counts and outcomes; never tokens, keys, secrets or header values. */
export interface Log {
  readonly debug: Line;
  readonly info: Line;
  readonly warn: Line;
  readonly error: Line;
}
