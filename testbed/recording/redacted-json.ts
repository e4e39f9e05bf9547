import { isObject } from '../../server/model/json-values.ts';
import { isMeasure, isSecret } from './credential-names.ts';

export const REPLACED = '[redacted]';
/** Deeper no event is nested; what is deeper is replaced as a whole, as nobody has looked at it. */
const DEEPEST = 200;
const MARK = '\ufeff';

/** Where a value stands. */
interface At {
  /** Of the nearest field. */
  readonly name: string;
  /** Whether any field around it says by its name that it holds credentials. */
  readonly isHidden: boolean;
  readonly depth: number;
}

/**
 * JSON without its credentials: every value below a field whose name says so, whatever it is, and what `clean` takes out of all
 * other texts. Texts stay texts, and numbers numbers, so that a fixture has the shape of what was sent. Where nothing is to be
 * replaced, and where it is no JSON, the text stays as it is but for what `clean` takes out.
 */
export function redactedJson(text: string, clean: (text: string) => string, depth = 0): string {
  const mark = text.startsWith(MARK) ? MARK : '';
  const parsed = parsedJson(text.slice(mark.length));
  if (parsed === undefined) return clean(text);
  let isChanged = false;
  const put = <T>(before: T, after: T): T => {
    isChanged ||= before !== after;
    return after;
  };
  const visit = (value: unknown, at: At): unknown => {
    if (at.depth > DEEPEST) return put<unknown>(value, REPLACED);
    if (typeof value === 'string') return put(value, textAt(value, at, clean));
    if (typeof value === 'number') return put(value, numberAt(value, at, clean));
    const inner = { ...at, depth: at.depth + 1 };
    if (Array.isArray(value)) return value.map((item) => visit(item, inner));
    if (!isObject(value)) return value;
    const fields = Object.entries(value).map(([name, held]): [string, unknown] => {
      const isHidden = at.isHidden || isSecret(name);
      return [put(name, clean(name)), visit(held, { ...inner, name, isHidden })];
    });
    return Object.fromEntries(fields);
  };
  const kept = visit(parsed.value, { name: '', isHidden: false, depth });
  return clean(isChanged ? mark + JSON.stringify(kept) : text);
}

function textAt(value: string, { isHidden, depth }: At, clean: (text: string) => string): string {
  if (isHidden) return value === '' ? value : REPLACED;
  // Many senders put JSON into a field of JSON.
  return /^\s*[{[]/.test(value) ? redactedJson(value, clean, depth + 1) : clean(value);
}

function numberAt(value: number, { isHidden, name }: At, clean: (text: string) => string): number {
  const text = String(value);
  return (isHidden && !isMeasure(name)) || clean(text) !== text ? 0 : value;
}

function parsedJson(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}
