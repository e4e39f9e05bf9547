/**
 * All but printable characters, line breaks and tabs: what a terminal takes for a command, or shows in another order than it stands.
 * In 8 bits there are commands too (U+009B is CSI), and JSON leaves those as they are.
 */
const UNSAFE = /[^\t\n -~\u00a0-\u2027\u202f-\u2065\u206a-\uffff]/g;

/** A line break within a value would begin a line that nobody wrote. */
const UNSAFE_IN_LINE = /[^ -~\u00a0-\u2027\u202f-\u2065\u206a-\uffff]/;

/**
 * A text to be printed, whatever strangers wrote into it: a write key in an app is public, and operators look at its events.
 * JSON says the same afterwards, as it has such characters within texts alone.
 */
export function safeText(text: string): string {
  return text.replaceAll(UNSAFE, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** A value within a line. What would end the line, or move the cursor, is shown as JSON shows it. */
export function inLine(text: string): string {
  return UNSAFE_IN_LINE.test(text) ? safeText(JSON.stringify(text)) : text;
}
