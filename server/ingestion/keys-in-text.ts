/** Further ones are not looked at: a text can hold tens of thousands. */
const MAX_PLACES = 20;
/** The name in quotes, then the value: as many characters as the longest key has when each is escaped. */
const WRITE_KEY = /"writeKey"[ \t\r\n]*:[ \t\r\n]*("(?:[^"\\]|\\.){1,768}")/g;

/** The write keys that stand in the text of a body, found without parsing it: a stranger's large body is not worth that. */
export function keysInText(body: Buffer): string[] {
  // Keys are ASCII: what else the text holds may be misread.
  const places = body.toString('latin1').matchAll(WRITE_KEY).take(MAX_PLACES);
  return [...new Set(places.map(([, quoted = '']) => unquoted(quoted)))];
}

function unquoted(text: string): string {
  try {
    return String(JSON.parse(text));
  } catch {
    return text;
  }
}
