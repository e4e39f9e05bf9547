/** Characters that show nothing, or turn the order of what stands beside them: they could hide what was sent. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}\u{115f}\u{1160}\u{3164}]/gu;
const KEPT = new Set(['\n', '\t']);

/** A text as it can be looked at: what would not be seen is written as its number. */
export function plain(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replaceAll(UNSEEN, (char) => (KEPT.has(char) ? char : `\\u{${char.codePointAt(0)?.toString(16)}}`));
}

/** JSON with a line for each part, and otherwise as it came: its numbers, its names that come twice. Undefined for other texts. */
export function indented(text: string): string | undefined {
  if (!isJson(text)) return undefined;
  const parts = text.match(/"(?:[^"\\]|\\.)*"|[[\]{},:]|[^\s[\]{},:"]+/g) ?? [];
  const lines: string[] = [];
  let [line, depth] = ['', 0];
  const breakLine = (): void => {
    lines.push(line);
    line = '  '.repeat(depth);
  };
  for (const [at, part] of parts.entries()) {
    const isClosing = part === '}' || part === ']';
    const isEmpty = isClosing && ['{', '['].includes(parts[at - 1] ?? '');
    if (isClosing) depth -= 1;
    if (isClosing && !isEmpty) breakLine();
    line += part === ':' ? ': ' : part;
    if (part === '{' || part === '[') depth += 1;
    const closes = ['}', ']'].includes(parts[at + 1] ?? '');
    if (part === ',' || ((part === '{' || part === '[') && !closes)) breakLine();
  }
  return [...lines, line].join('\n');
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

export function sizeText(bytes: number): string {
  if (bytes < 1_024) return `${bytes} B`;
  if (bytes < 1_048_576) return `${(bytes / 1_024).toFixed(1)} KB`;
  return `${(bytes / 1_048_576).toFixed(1)} MB`;
}
