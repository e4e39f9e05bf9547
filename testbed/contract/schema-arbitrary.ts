import fc from 'fast-check';

/** A JSON Schema, of which nothing is known but that it is an object. */
export type Schema = Readonly<Record<string, unknown>>;

export interface Hints {
  /** Follows a reference. */
  readonly resolve: (schema: Schema) => Schema;
  /** Texts that mean something to the router: names of what exists, paths of fields. */
  readonly texts: readonly string[];
  /** What to draw for a pattern that accepts more than makes sense: month 13, for one. */
  readonly patterns?: ReadonlyMap<string, fc.Arbitrary<string>>;
}

const DEEPEST = 5;

/** Those that four digits can write. */
export const YEARS = { min: new Date('0001-01-01T00:00:00Z'), max: new Date('9999-12-31T23:59:59Z') };

/** Any code point that is no half of a pair. fast-check's own `binary` means the same, and takes a second to set up. */
const LETTERS = fc
  .oneof(
    { arbitrary: fc.integer({ min: 0x20, max: 0x7e }), weight: 2 },
    fc.integer({ min: 0, max: 0xd7ff }),
    fc.integer({ min: 0xe000, max: 0x10ffff }),
  )
  .map((codePoint) => String.fromCodePoint(codePoint));

/** Values that a JSON Schema of the document accepts; where the schema leaves something free, anything. */
export function valuesOf(schema: Schema, hints: Hints, depth = 0): fc.Arbitrary<unknown> {
  const plain = hints.resolve(schema);
  if (plain['const'] !== undefined) return fc.constant(plain['const']);
  if (Array.isArray(plain['enum'])) return fc.constantFrom<unknown>(...plain['enum']);
  const choices = schemasOf(plain['oneOf'] ?? plain['anyOf']);
  if (choices.length > 0) return fc.oneof(...choices.map((choice) => valuesOf(choice, hints, depth + 1)));
  const types = typesOf(plain);
  if (types.length === 0) return fc.jsonValue({ maxDepth: 3 });
  return fc.oneof(...types.map((type) => valuesOfType(type, plain, hints, depth)));
}

function typesOf(schema: Schema): string[] {
  if (Array.isArray(schema['type'])) return schema['type'].map(String);
  if (typeof schema['type'] === 'string') return [schema['type']];
  return 'properties' in schema ? ['object'] : [];
}

function valuesOfType(type: string, schema: Schema, hints: Hints, depth: number): fc.Arbitrary<unknown> {
  switch (type) {
    case 'string':
      return texts(schema, hints);
    case 'integer':
    case 'number':
      return numbers(type, schema);
    case 'boolean':
      return fc.boolean();
    case 'array':
      return lists(schema, hints, depth);
    case 'object':
      return objects(schema, hints, depth);
    case 'null':
      return fc.constant(null);
    default:
      throw new Error(`schema-arbitrary.ts knows no type ${type}: add it there`);
  }
}

function texts(schema: Schema, { texts: known, patterns }: Hints): fc.Arbitrary<string> {
  const [minLength, maxLength] = [numberAt(schema, 'minLength') ?? 0, numberAt(schema, 'maxLength')];
  const { pattern } = schema;
  if (typeof pattern === 'string') return patterns?.get(pattern) ?? fc.stringMatching(new RegExp(pattern));
  if (schema['format'] === 'date-time')
    return fc.date({ ...YEARS, noInvalidDate: true }).map((date) => date.toISOString());
  if (schema['format'] === 'uri') return fc.webUrl();
  const free = fc.string({ unit: LETTERS, minLength, ...(maxLength === undefined ? {} : { maxLength }) });
  const fitting = known.filter((text) => text.length >= minLength && text.length <= (maxLength ?? Infinity));
  return fitting.length === 0 ? free : fc.oneof(free, { arbitrary: fc.constantFrom(...fitting), weight: 4 });
}

function numbers(type: string, schema: Schema): fc.Arbitrary<number> {
  const [min, max] = [numberAt(schema, 'minimum'), numberAt(schema, 'maximum')];
  const range = { ...(min === undefined ? {} : { min }), ...(max === undefined ? {} : { max }) };
  return type === 'integer' ? fc.integer(range) : fc.double({ ...range, noNaN: true, noDefaultInfinity: true });
}

function lists(schema: Schema, hints: Hints, depth: number): fc.Arbitrary<unknown> {
  const items = isSchema(schema['items']) ? valuesOf(schema['items'], hints, depth + 1) : fc.jsonValue({ maxDepth: 1 });
  const minLength = numberAt(schema, 'minItems') ?? 0;
  const maxLength = depth >= DEEPEST ? minLength : Math.min(numberAt(schema, 'maxItems') ?? 4, minLength + 4);
  if (schema['uniqueItems'] !== true) return fc.array(items, { minLength, maxLength });
  return fc.uniqueArray(items, { minLength, maxLength, selector: (item) => JSON.stringify(item) });
}

function objects(schema: Schema, hints: Hints, depth: number): fc.Arbitrary<unknown> {
  const properties = isSchema(schema['properties']) ? Object.entries(schema['properties']) : [];
  const required = new Set(Array.isArray(schema['required']) ? schema['required'].map(String) : []);
  const wanted = properties.filter(([name]) => depth < DEEPEST || required.has(name));
  const record = fc.record(
    Object.fromEntries(wanted.map(([name, inner]) => [name, valuesOf(isSchema(inner) ? inner : {}, hints, depth + 1)])),
    { requiredKeys: wanted.map(([name]) => name).filter((name) => required.has(name)) },
  );
  const more = schema['additionalProperties'];
  if (more === false || (more === undefined && properties.length > 0)) return record;
  const values = isSchema(more) ? valuesOf(more, hints, depth + 1) : fc.jsonValue({ maxDepth: 2 });
  return fc
    .tuple(fc.dictionary(fc.string(), values, { maxKeys: 3 }), record)
    .map(([extra, own]) => ({ ...extra, ...own }));
}

function schemasOf(list: unknown): Schema[] {
  return Array.isArray(list) ? list.filter(isSchema) : [];
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function numberAt(schema: Schema, key: string): number | undefined {
  const value = schema[key];
  return typeof value === 'number' ? value : undefined;
}
