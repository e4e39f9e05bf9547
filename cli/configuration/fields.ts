import { isObject } from '../contract/schemas.ts';
import { type Changeable, kindRow, QUOTA_FIELDS, SCHEMA_CONFIG_FIELDS } from './kinds.ts';
import type { Fields } from './model.ts';

/** Of a resource as the API answers it, what a file can say of it. */
export function fieldsOf(kind: Changeable, resource: Fields): Fields {
  const found = only(namesOf(kind), resource);
  if (kind === 'destinations') return { ...found, config: entriesOf(resource['config']) };
  // A limit of 0 is none.
  return kind === 'quota' ? Object.fromEntries(Object.entries(found).filter(([, limit]) => limit !== 0)) : found;
}

function namesOf(kind: Changeable): readonly string[] {
  if (kind === 'quota') return QUOTA_FIELDS;
  return kind === 'schemaConfig' ? SCHEMA_CONFIG_FIELDS : kindRow(kind).created;
}

/** Entries by their bare names, without what the router says of them. */
export function entriesOf(config: unknown): readonly Fields[] {
  const entries = Array.isArray(config) ? config.filter(isObject) : [];
  return entries.map(({ name, type, value }) => ({
    name: String(name).split('/').at(-1),
    ...(type === undefined ? {} : { type }),
    value,
  }));
}

function only(fields: readonly string[], resource: Fields): Fields {
  return Object.fromEntries(
    fields.flatMap((field) => (resource[field] === undefined ? [] : [[field, resource[field]]])),
  );
}

export function slugOf(resource: Fields): string {
  return String(resource['name']).split('/').at(-1) ?? '';
}
