import { messageOf } from '../ui/errors.ts';
import { sentence } from '../ui/names.ts';

/** What the API says of one place in a definition. */
export interface Fault {
  /** `definition.any[1].events.where` */
  readonly place: string;
  readonly text: string;
  /** With the place, as the API writes it. */
  readonly said: string;
}

const FAULT = /(?:^|: )(?:audience\.|computed_trait\.)?(definition(?:\.[^\s.[\]:]+|\[\d+\])*)(:? )(.+)$/s;

/** Undefined where an error names no place in a definition. */
export function faultOf(error: Error | null): Fault | undefined {
  const [, place, between = '', text] = FAULT.exec(error?.message ?? '') ?? [];
  return place === undefined || text === undefined ? undefined : { place, text, said: `${place}${between}${text}` };
}

/** What the API says of a name, as a sentence, without the request and the field. */
export function nameFault(error: Error): string {
  return sentence(messageOf(error).replace(/^(?:audience|computed_trait)\.display_name\b/, 'the name'));
}

/** Whether it is about this place, or something in it. */
export function isIn(fault: Fault | undefined, place: string): fault is Fault {
  if (fault === undefined || !fault.place.startsWith(place)) return false;
  return ['', '.', '['].includes(fault.place.charAt(place.length));
}

const TOKENS = /"(?:[^"\\]|\\.)*"|[{}[\],:\n]|[^\s{}[\],:"]+/g;

/** The line of JSON text in which a place begins; undefined where there is no such place. */
export function lineOf(text: string, place: string): number | undefined {
  const path: (string | number)[] = [];
  let line = 1;
  let isKey = false;
  for (const [token] of text.matchAll(TOKENS)) {
    if (token === '\n') line += 1;
    else if (token === '}' || token === ']') path.pop();
    else if (token === ',') isKey = stepOn(path);
    else if (isKey) [path[path.length - 1], isKey] = [String(JSON.parse(token)), false];
    else if (token !== ':') {
      if (`definition${path.map(partText).join('')}` === place) return line;
      isKey = token === '{';
      if (isKey) path.push('');
      if (token === '[') path.push(0);
    }
  }
  return undefined;
}

/** The next item of a list has a number; the next of an object begins with its key. */
function stepOn(path: (string | number)[]): boolean {
  const last = path.at(-1);
  if (typeof last === 'number') path[path.length - 1] = last + 1;
  return typeof last === 'string';
}

function partText(part: string | number): string {
  return typeof part === 'number' ? `[${part}]` : `.${part}`;
}
