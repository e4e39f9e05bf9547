/** What a person types for the value of a comparison, and what it means. */
export interface Reading {
  readonly read: (text: string) => unknown;
  readonly print: (value: unknown) => string;
}

export const TEXT: Reading = { read: (text) => text, print: (value) => (typeof value === 'string' ? value : '') };

/** What is no number goes as it is: the API says what is wrong with it. */
export const NUMBER: Reading = {
  read: (text) => (isNumber(text) ? Number(text) : text),
  print: plain,
};

/** Numbers, true and false are such; in quotes they are text. */
export const SCALAR: Reading = {
  read(text) {
    if (isNumber(text)) return Number(text);
    if (text === 'true' || text === 'false') return text === 'true';
    return unquoted(text) ?? text;
  },
  print(value) {
    if (typeof value !== 'string') return plain(value);
    return SCALAR.read(value) === value ? value : JSON.stringify(value);
  },
};

/** What a field cannot show as it is, is shown as JSON. */
function plain(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

const ITEMS = /\s*("(?:[^"\\]|\\.)*"|[^,]+)/g;

/** By commas; a value with a comma stands in quotes. */
export const LIST: Reading = {
  read: (text) =>
    [...text.matchAll(ITEMS)].map(([, item = '']) => SCALAR.read(item.trim())).filter((item) => item !== ''),
  print: (value) => (Array.isArray(value) ? value.map(itemText).join(', ') : ''),
};

function itemText(item: unknown): string {
  const text = SCALAR.print(item);
  return text.includes(',') && !text.startsWith('"') ? JSON.stringify(text) : text;
}

function isNumber(text: string): boolean {
  return /^\s*[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?\s*$/i.test(text);
}

function unquoted(text: string): string | undefined {
  try {
    const value: unknown = text.startsWith('"') ? JSON.parse(text) : undefined;
    return typeof value === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
}
