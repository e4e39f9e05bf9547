import { type Dialect, Parameters } from '../../profiles/dialect.ts';

/** Parameters of one statement. Each is of the type of its value, whatever it is compared with. */
export function postgresParameters(): Parameters {
  const parameters: Parameters = new Parameters(dialectOf((number) => parameters.values[number - 1] ?? ''));
  return parameters;
}

/** The functions are the database's own, and of those that its migrations make. */
export function dialectOf(valueOf: (number: number) => string | number): Dialect {
  return {
    parameter: (number) => `$${number}::${typeOf(valueOf(number))}`,
    // With IS TRUE it is looked up in a hash table; else each value is compared with all of them.
    isAmong: (value, list, kind) =>
      `(${value} IN (SELECT one${kind === 'number' ? '::double precision' : ''} FROM jsonb_array_elements_text(${list}::jsonb) one)) IS TRUE`,
    number: (json) => `CASE WHEN ${json} ~ '^-?[0-9]' THEN ${json}::double precision END`,
    text: (json) => `text_of(${json})`,
    moment: (json) => `moment_of(${json})`,
    hasItem: (json, item) => `has_item(${json}, ${item})`,
    hasStart: (text, start) => `starts_with(${text}, ${start})`,
    hasPart: (text, part) => `strpos(${text}, ${part}) > 0`,
    json: (number) => `json_of((${number})::double precision)`,
  };
}

function typeOf(value: string | number): string {
  if (typeof value === 'string') return 'text';
  return Number.isSafeInteger(value) ? 'bigint' : 'double precision';
}
