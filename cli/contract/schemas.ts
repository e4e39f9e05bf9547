import type { Document, Schema } from '../../server/http/document.ts';

/** A schema, or the one that it refers to. */
export function resolved(document: Document, schema: unknown): Schema {
  if (!isObject(schema)) return {};
  const reference = schema['$ref'];
  if (typeof reference !== 'string') return schema;
  const found = document.components.schemas?.[reference.slice(reference.lastIndexOf('/') + 1)];
  // What stands beside a reference says more of this place.
  return { ...found, ...Object.fromEntries(Object.entries(schema).filter(([name]) => name !== '$ref')) };
}

/** The properties of an object, each resolved, the items of lists as well; none for any other schema. */
export function propertiesOf(document: Document, schema: Schema): Readonly<Record<string, Schema>> {
  const { properties } = schema;
  if (!isObject(properties)) return {};
  const fields = Object.entries(properties).map(([name, property]) => [name, withItems(document, property)] as const);
  return Object.fromEntries(fields);
}

function withItems(document: Document, property: unknown): Schema {
  const schema = resolved(document, property);
  return schema['items'] === undefined ? schema : { ...schema, items: resolved(document, schema['items']) };
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function stringsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}
