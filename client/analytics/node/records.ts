import type { StoredMessage } from '../store.ts';

/** A line of a segment: a message that was taken, as its own JSON, or the ids of messages that have ended. */
export type Line =
  | { readonly kind: 'taken'; readonly message: StoredMessage }
  | { readonly kind: 'ended'; readonly ids: readonly string[] };

export function endedLine(ids: readonly string[]): string {
  return JSON.stringify({ ended: ids });
}

/**
 * The lines of a segment. A last line without its end is what a crash cut off: its call never returned. Any other line
 * that cannot be read is damage; it is passed over, so that it costs one line and not the file, and counted.
 */
export function readLines(text: string): { readonly lines: readonly Line[]; readonly damaged: number } {
  const whole = text.split('\n').slice(0, -1);
  const lines = whole.flatMap((line) => {
    const read = readLine(line);
    return read === undefined ? [] : [read];
  });
  return { lines, damaged: whole.length - lines.length };
}

function readLine(line: string): Line | undefined {
  const value = parse(line);
  if (typeof value !== 'object' || value === null) return undefined;
  if ('messageId' in value && typeof value.messageId === 'string') {
    return { kind: 'taken', message: { messageId: value.messageId, json: line } };
  }
  if (!('ended' in value) || !Array.isArray(value.ended)) return undefined;
  return { kind: 'ended', ids: value.ended.filter((id): id is string => typeof id === 'string') };
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
