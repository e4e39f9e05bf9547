import { ScriptError, show } from './script-error.ts';
import type { Place } from './script-error.ts';
import { isEventType } from './short-form.ts';

/** `name` or `name:value`, as it stands in the short form. */
export interface Part {
  readonly name: string;
  readonly value: string | undefined;
  readonly column: number;
}

/** One step of the short form, cut up but not yet understood. */
export interface Item {
  readonly place: Place & { readonly column: number };
  readonly types: string | undefined;
  readonly parts: readonly Part[];
}

const STEP = /(?:"(?:[^"\\]|\\.)*"|[^,"])*/y;
const TYPES = /\s*([a-z]+(?:\s*\|\s*[a-z]+)*)\s*:/y;
const PART = /\s*([^\s,+:"]+)(?:\s*:\s*("(?:[^"\\]|\\.)*"|[^\s,+"]+))?/y;
/** Between parts stands a plus; a number of times may follow a space alone. */
const JOINT = /\s*\+|\s+(?=x[\d*])/y;

/** Cuts the text into steps. Commas inside quotation marks do not count. */
export function readItems(text: string): readonly Item[] {
  const items: Item[] = [];
  for (let at = 0; at <= text.length;) {
    const [step = ''] = match(STEP, text, at) ?? [];
    const column = at + step.length - step.trimStart().length + 1;
    const place = { step: items.length + 1, column, seen: step.trim() || 'nothing' };
    at += step.length;
    if (text[at] === '"') {
      throw new ScriptError(
        { ...place, column: at + 1, seen: text.slice(column - 1) },
        'a quotation mark is never closed; close it',
      );
    }
    if (step.trim() === '') throw new ScriptError(place, 'there is no step here; write one, or take the comma away');
    items.push(readItem(step, at - step.length, place));
    at += 1;
  }
  return items;
}

function readItem(text: string, offset: number, place: Item['place']): Item {
  const [typed = '', types] = match(TYPES, text, 0) ?? [];
  const isTyped = types !== undefined && (types.includes('|') || isEventType(types));
  return {
    place,
    types: isTyped ? types : undefined,
    parts: readParts(text, isTyped ? typed.length : 0, offset, place),
  };
}

function readParts(text: string, from: number, offset: number, place: Item['place']): readonly Part[] {
  const parts: Part[] = [];
  for (let at = from; ;) {
    const found = match(PART, text, at);
    if (found === null) throw unexpected(text, at, offset, place);
    const [whole, name = '', value] = found;
    const column = offset + at + whole.length - whole.trimStart().length + 1;
    parts.push({ name, value: value === undefined ? undefined : unquote(value, { ...place, column }), column });
    at += whole.length;
    const joint = match(JOINT, text, at);
    if (joint === null && text.slice(at).trim() === '') return parts;
    if (joint === null) throw unexpected(text, at, offset, place);
    at += joint[0].length;
  }
}

function unquote(value: string, place: Place): string {
  if (!value.startsWith('"')) return value;
  try {
    const text: unknown = JSON.parse(value);
    return String(text);
  } catch (cause) {
    throw new ScriptError(place, `${value} is no JSON string; write line breaks as \\n, quotation marks as \\"`, {
      cause,
    });
  }
}

function unexpected(text: string, at: number, offset: number, place: Place): ScriptError {
  const rest = text.slice(at).trimStart();
  const column = offset + text.length - rest.length + 1;
  const what = rest === '' ? 'something is missing at the end' : `${show(rest)} is not expected here`;
  return new ScriptError({ ...place, column }, `${what}; write a comma between steps, a plus between the parts of one`);
}

function match(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  const sticky = new RegExp(pattern);
  sticky.lastIndex = at;
  return sticky.exec(text);
}
