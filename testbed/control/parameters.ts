import { nearest } from '../../server/nearest.ts';
import { ControlError } from './control-error.ts';
import type { Operation, Parameter, ParameterSchema } from './document.ts';

export type Values = Readonly<Record<string, string | number>>;

/** The values of a request's query, as the document says; refuses what it does not name. */
export function readQuery({ parameters }: Operation, given: URLSearchParams): Values {
  const known = parameters.filter((parameter) => parameter.in === 'query');
  const values: Record<string, string | number> = {};
  for (const [name, text] of given) {
    const parameter = known.find((each) => each.name === name);
    if (parameter === undefined) throw unknownParameter(name, known);
    if (Object.hasOwn(values, name)) throw new ControlError(400, `${name} is given twice; give it once`);
    values[name] = read(name, text, parameter.schema);
  }
  return values;
}

export function readPath({ parameters }: Operation, given: Readonly<Record<string, string>>): Values {
  const known = parameters.filter((parameter) => parameter.in === 'path');
  return Object.fromEntries(known.map(({ name, schema }) => [name, read(name, given[name] ?? '', schema)]));
}

function unknownParameter(name: string, known: readonly Parameter[]): ControlError {
  const names = known.map((parameter) => parameter.name);
  const guess = nearest(name, names);
  const all = names.length === 0 ? 'there are none here' : `there are ${names.join(', ')}`;
  const wayOut = guess === undefined ? all : `did you mean ${guess}?`;
  return new ControlError(400, `${JSON.stringify(name)} is no parameter; ${wayOut}`);
}

function read(name: string, text: string, schema: ParameterSchema): string | number {
  return schema.type === 'integer' ? readNumber(name, text, schema) : readText(name, text, schema);
}

function readNumber(name: string, text: string, { minimum = 0, maximum = Number.MAX_SAFE_INTEGER }: ParameterSchema) {
  const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= minimum && value <= maximum) return value;
  const range = maximum === Number.MAX_SAFE_INTEGER ? `from ${minimum}` : `from ${minimum} to ${maximum}`;
  throw new ControlError(400, `${name} is ${JSON.stringify(text)}; give a whole number ${range}`);
}

function readText(name: string, text: string, { pattern }: ParameterSchema): string {
  if (pattern === undefined || new RegExp(pattern, 'u').test(text)) return text;
  throw new ControlError(400, `${name} is ${JSON.stringify(text)}; it must match ${pattern}`);
}
