/** What of these secrets stands in a text, in whatever encoding: decoded here in another way than the router encodes. */
export function leaksIn(text: string, secrets: readonly string[]): string[] {
  const readings = [text, unescaped(text), ...runsOf(text)];
  return secrets.filter((secret) => readings.some((reading) => reading.includes(secret)));
}

/** Percent-encoding, and the escapes of JSON and HTML. */
function unescaped(text: string): string {
  return text
    .replaceAll(/\\u([0-9a-f]{4})/gi, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replaceAll(/&#x?([0-9a-f]+);/gi, (all, digits: string) =>
      String.fromCodePoint(Number.parseInt(digits, all.includes('x') ? 16 : 10)),
    )
    .replaceAll(/(?:%[0-9a-f]{2})+/gi, (bytes) => Buffer.from(bytes.replaceAll('%', ''), 'hex').toString('utf8'));
}

/** What hex, and base64 that begins at any character, would decode to. */
function runsOf(text: string): string[] {
  const plain = unescaped(text);
  const hex = plain.match(/[0-9a-f]{8,}/gi) ?? [];
  const base64 = plain.match(/[\w+/-]{6,}/g) ?? [];
  return [
    ...hex.flatMap((run) => [0, 1].map((from) => Buffer.from(run.slice(from), 'hex').toString('utf8'))),
    ...base64.flatMap((run) => [0, 1, 2, 3].map((from) => Buffer.from(run.slice(from), 'base64').toString('utf8'))),
  ];
}
