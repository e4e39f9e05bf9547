import { isObject } from '../model/json-values.ts';
import { type Document, lookUp, type Schema } from '../http/document.ts';
import { snakeCase } from './update-mask.ts';

/** Clients send doubled slashes and one at the end (D-6). */
export function tidy(path: string): string {
  return path.replaceAll(/\/{2,}/g, '/').replace(/\/$/, '');
}

/** Reads a body by its schema, before it is checked against that schema. */
export type ReadBody = (schema: Schema, body: unknown) => unknown;

/**
 * Brings a body into the one spelling that the document has, out of those that clients send (D-6): `"true"` for a
 * boolean, camelCase for the name of a field, any case for an enum, null for a field that was left out, and a mask as
 * text. The schemas alone decide; what they leave open (config values, labels, rules of a plan) stays as it was sent,
 * and so does whatever is wrong: the check that follows says so.
 */
export function createLenientBody({ components: { schemas = {} } }: Document): ReadBody {
  return (schema, body) => read(body, schema, schemas);
}

type Schemas = Readonly<Record<string, Schema>>;

function read(value: unknown, reference: Schema, schemas: Schemas): unknown {
  const schema = lookUp(schemas, reference);
  if (typeof value === 'string') return readText(value, schema);
  if (Array.isArray(value)) {
    const { items } = schema;
    return isObject(items) ? value.map((item: unknown) => read(item, items, schemas)) : value;
  }
  const { properties } = schema;
  return isObject(value) && isObject(properties) ? readFields(value, properties, schemas) : value;
}

function readText(text: string, schema: Schema): unknown {
  if (schema['type'] === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  const field = schema['x-comma-separated'];
  if (typeof field === 'string') return { [field]: listIn(text, mostItems(schema, field)) };
  const choices: unknown = schema['enum'];
  if (!Array.isArray(choices)) return text;
  const same = (choice: unknown): boolean => String(choice).toLowerCase() === text.toLowerCase();
  return choices.includes(text) ? text : (choices.find(same) ?? text);
}

function readFields(value: Schema, properties: Schema, schemas: Schemas): Record<string, unknown> {
  const fields = Object.entries(value).flatMap(([key, sent]): [string, unknown][] => {
    const name = Object.hasOwn(properties, key) ? key : otherSpelling(key, value, properties);
    const schema: unknown = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (!isObject(schema)) return [[name, sent]];
    return sent === null && isTyped(lookUp(schemas, schema)) ? [] : [[name, read(sent, schema, schemas)]];
  });
  return Object.fromEntries(fields);
}

/** A field that stands there in both spellings is read from the documented one. */
function otherSpelling(key: string, value: Schema, properties: Schema): string {
  const snake = snakeCase(key);
  return Object.hasOwn(properties, snake) && !Object.hasOwn(value, snake) ? snake : key;
}

function isTyped({ type, enum: choices }: Schema): boolean {
  return type !== undefined || choices !== undefined;
}

/** Of too many parts none is looked at: what checks the list refuses it. */
function listIn(text: string, most: number): string[] {
  const parts = text.split(',', most + 1);
  return parts.length > most ? parts : parts.map((part) => part.trim()).filter((part) => part !== '');
}

function mostItems({ properties }: Schema, field: string): number {
  const list = isObject(properties) ? properties[field] : undefined;
  return isObject(list) && typeof list['maxItems'] === 'number' ? list['maxItems'] : Infinity;
}
