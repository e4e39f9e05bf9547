/** What was thrown says so much; anything may be thrown. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

/** The same, and from where: for what nobody foresaw. */
export function traceOf(thrown: unknown): string {
  return thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
}

/** As the system makes them: `code` says what went wrong, for whoever acts on it. */
export function errorWith(code: string | undefined, message: string): Error {
  return Object.assign(new Error(message), { code });
}

export function errorOf(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}
