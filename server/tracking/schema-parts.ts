import type { CleanSchema } from './read-schema.ts';

/** A schema that says something of values; what its keywords hold was looked at when it was read. */
export type Fields = Readonly<Record<string, unknown>>;

export function isSchema(value: unknown): value is CleanSchema {
  return typeof value === 'boolean' || (typeof value === 'object' && value !== null && !Array.isArray(value));
}

export function numberIn(schema: Fields, keyword: string): number | undefined {
  const value = schema[keyword];
  return typeof value === 'number' ? value : undefined;
}

export function textIn(schema: Fields, keyword: string): string | undefined {
  const value = schema[keyword];
  return typeof value === 'string' ? value : undefined;
}

export function schemaIn(schema: Fields, keyword: string): CleanSchema | undefined {
  const value = schema[keyword];
  return isSchema(value) ? value : undefined;
}

export function schemasIn(schema: Fields, keyword: string): CleanSchema[] | undefined {
  const value: unknown = schema[keyword];
  return Array.isArray(value) ? value.filter(isSchema) : undefined;
}

export function namesIn(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((name) => typeof name === 'string') : [];
}

export function entriesIn(schema: Fields, keyword: string): [name: string, value: unknown][] {
  const value = schema[keyword];
  return typeof value === 'object' && value !== null ? Object.entries(value) : [];
}

/** The schemas of a keyword that has one for each name. */
export function schemaEntriesIn(schema: Fields, keyword: string): [name: string, schema: CleanSchema][] {
  return entriesIn(schema, keyword).flatMap(([name, value]) => (isSchema(value) ? [[name, value]] : []));
}
