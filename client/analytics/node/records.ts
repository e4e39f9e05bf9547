import { createHash } from 'node:crypto';
import type { StoredMessage } from '../store.ts';

/** A line of a segment: a message that was taken, as its own JSON, or the ids of messages that have ended. */
export type Line =
  | { readonly kind: 'taken'; readonly message: StoredMessage }
  | { readonly kind: 'ended'; readonly ids: readonly string[] };

/** What a line ends with. As a member of its JSON: the first version writes none, and reads lines that have one. */
const CHECK = /,"check":"([\da-f]{8})"\}$/;

export function checkedLine(json: string): string {
  return `${json.slice(0, -1)},"check":"${checkOf(json)}"}`;
}

export function endedLine(ids: readonly string[]): string {
  return checkedLine(JSON.stringify({ ended: ids }));
}

/** Damage may leave a line that can be read, and says something else. */
function checkOf(json: string): string {
  return createHash('sha256').update(json).digest('hex').slice(0, 8);
}

/**
 * The lines of a segment. A last line without its end is what a crash cut off: its call never returned. Any other line
 * that cannot be read, or is not what was written, is damage; it is passed over, so that it costs one line and not the file, and counted.
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
  const [end, check] = CHECK.exec(line) ?? [];
  const json = end === undefined ? line : `${line.slice(0, -end.length)}}`;
  if (check !== undefined && check !== checkOf(json)) return undefined;
  const value = parse(json);
  if (typeof value !== 'object' || value === null) return undefined;
  if ('messageId' in value && typeof value.messageId === 'string') {
    return { kind: 'taken', message: { messageId: value.messageId, json } };
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
