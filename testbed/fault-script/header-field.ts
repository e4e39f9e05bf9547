import type { Field } from './field.ts';
import { Complaint, show } from './script-error.ts';

/** They decide how the answer is framed: set by hand, they would be faults that the script does not name. */
const FRAMING = ['connection', 'content-length', 'keep-alive', 'transfer-encoding'];
/** What HTTP allows in a name, and in a value; a value is sent as Latin-1. */
const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/;
const SENDABLE = /^[\t\x20-\x7e\x80-\xff]*$/;
const SHOWN = /^([^:]+):[ \t]*(.*)$/s;

/** `header:"Name: value"`, once for each header, and an object in the data form. */
export const headerField: Field<Readonly<Record<string, string>>> = {
  normalize(value) {
    if (typeof value !== 'object' || value === null || Array.isArray(value) || Object.keys(value).length === 0) {
      throw new Complaint(`${show(value)} is no set of headers; write an object of names and values`);
    }
    return once(Object.entries(value).map(([name, text]) => [headerName(name), headerValue(text)]));
  },
  repeats: true,
  parse: (...texts) => once(texts.map(readHeader)),
  print: (values) => Object.entries(values).map(([name, value]) => `${name}: ${value}`),
};

function readHeader(text: string): readonly [name: string, value: string] {
  const [, name, value = ''] = SHOWN.exec(text) ?? [];
  if (name !== undefined) return [name.trim(), value];
  throw new Complaint(`${show(text)} is no header; write header:"Name: value"`);
}

function once(headers: readonly (readonly [name: string, value: string])[]): Record<string, string> {
  const twice = headers.find(([name], at) => headers.findIndex(([other]) => same(name, other)) !== at);
  if (twice !== undefined) throw new Complaint(`the header ${twice[0]} stands twice; write it once`);
  return Object.fromEntries(headers);
}

export function headerValue(value: unknown): string {
  if (typeof value === 'string' && value === value.trim() && SENDABLE.test(value)) return value;
  throw new Complaint(`${show(value)} is not a valid header value; use Latin-1 text on one line`);
}

function headerName(name: string): string {
  if (FRAMING.includes(name.toLowerCase())) {
    throw new Complaint(`the header ${name} frames the answer; write malformed:length-over, close:… or size:… instead`);
  }
  if (TOKEN.test(name)) return name;
  throw new Complaint(`${show(name)} is no header name; write letters, digits and dashes`);
}

function same(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}
