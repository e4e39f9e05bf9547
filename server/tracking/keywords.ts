/** How the value of a keyword is read. */
export type Form =
  | 'any'
  | 'choices'
  | 'count'
  | 'dependencies'
  | 'flag'
  | 'items'
  | 'names'
  | 'number'
  | 'pattern'
  | 'patternMap'
  | 'positive'
  | 'schema'
  | 'schemaMap'
  | 'schemas'
  | 'text'
  | 'types';

/**
 * The keywords of JSON Schema draft-07 that say what a value must be. As the standard has it, all others say nothing of
 * values, and are left out: titles and labels, names of schemas, what other drafts and tools add.
 */
export const KEYWORDS: ReadonlyMap<string, Form> = new Map<string, Form>([
  ['type', 'types'],
  ['enum', 'choices'],
  ['const', 'any'],
  ['multipleOf', 'positive'],
  ['minimum', 'number'],
  ['maximum', 'number'],
  ['exclusiveMinimum', 'number'],
  ['exclusiveMaximum', 'number'],
  ['minLength', 'count'],
  ['maxLength', 'count'],
  ['pattern', 'pattern'],
  ['format', 'text'],
  ['items', 'items'],
  ['additionalItems', 'schema'],
  ['contains', 'schema'],
  ['minItems', 'count'],
  ['maxItems', 'count'],
  ['uniqueItems', 'flag'],
  ['properties', 'schemaMap'],
  ['patternProperties', 'patternMap'],
  ['additionalProperties', 'schema'],
  ['propertyNames', 'schema'],
  ['dependencies', 'dependencies'],
  ['required', 'names'],
  ['minProperties', 'count'],
  ['maxProperties', 'count'],
  ['allOf', 'schemas'],
  ['anyOf', 'schemas'],
  ['oneOf', 'schemas'],
  ['not', 'schema'],
  ['if', 'schema'],
  ['then', 'schema'],
  ['else', 'schema'],
]);

/** What is below these is tried for each item of a list, or each field of an object. */
export const REPEATING: ReadonlySet<string> = new Set([
  'items',
  'additionalItems',
  'contains',
  'patternProperties',
  'additionalProperties',
  'propertyNames',
]);

export const TYPES: readonly string[] = ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string'];
