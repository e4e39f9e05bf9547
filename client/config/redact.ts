/** Text without the access token, in whichever spelling an answer may have echoed it. */
export function redact(text: string, token: string): string {
  const spellings = [token, JSON.stringify(token).slice(1, -1), encodeURIComponent(token)];
  return spellings.reduce((clean, spelling) => clean.replaceAll(spelling, '<token>'), text);
}
