/** What was thrown, in words. Anything can be, also an object that has no text, and to say it must not throw again. */
export function thrownText(thrown: unknown): string {
  try {
    return String(thrown);
  } catch {
    return 'an object';
  }
}
