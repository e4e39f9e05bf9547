import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';
import { isDeeperThan } from '../model/json-values.ts';
import { nearest } from '../nearest.ts';
import type { Document, Parameter, Schema } from './document.ts';
import { ApiError, type FailureName } from './errors.ts';
import { SchemaCompiler } from './schema-compiler.ts';

/** Compiles the schemas of a document into checks; the document itself is the only source of what is valid. */
export interface Validation {
  body(schema: Schema): ValidateFunction;
  parameters(parameters: readonly Parameter[]): ValidateFunction;
}

export function createValidation({ components: { schemas = {} } }: Document): Validation {
  // Parameters arrive as text and are coerced; bodies arrive typed and are taken as sent.
  const lenient = new SchemaCompiler(schemas, { coerceTypes: true, useDefaults: true });
  const exact = new SchemaCompiler(schemas, {});
  return {
    body: (schema) => exact.compile(schema),
    parameters: (parameters) =>
      lenient.compile({
        type: 'object',
        properties: Object.fromEntries(parameters.map((p) => [p.name, p.schema])),
        required: parameters.filter((p) => p.required).map((p) => p.name),
      }),
  };
}

/** Passes a value that the check accepts; else throws, naming the place and what was seen there. */
export function accept(check: ValidateFunction, value: unknown, failure: FailureName): unknown {
  if (check(value)) return value;
  const [first] = check.errors ?? [];
  throw new ApiError(failure, first === undefined ? 'invalid value' : explain(first, value));
}

function explain(error: ErrorObject, root: unknown): string {
  const place = fieldPath(error.instancePath);
  // An error does not repeat a secret.
  const seen = error.parentSchema?.['x-secret'] === undefined ? at(root, error.instancePath) : undefined;
  return `${place === '' ? 'the body' : place} ${wanted(error)}${shown(seen, error.keyword === 'type')}`;
}

/** What is in lists and objects may be secret: of a wrong one it is told what it is. */
function shown(seen: unknown, isOfWrongType: boolean): string {
  if (seen === undefined) return '';
  if (typeof seen !== 'object') return `, got ${JSON.stringify(seen).slice(0, 80)}`;
  if (!isOfWrongType) return '';
  if (seen === null) return ', got null';
  return Array.isArray(seen) ? ', got a list' : ', got an object';
}

function wanted({ params, message, parentSchema }: ErrorObject): string | undefined {
  const unknown: unknown = params['additionalProperty'];
  if (typeof unknown === 'string') return `has no field ${unknownField(unknown, parentSchema?.['properties'])}`;
  const words: unknown = parentSchema?.['x-in-words'];
  if ('pattern' in params && typeof words === 'string') return `must be ${words}`;
  const choices: unknown = params['allowedValues'];
  if (Array.isArray(choices)) return `must be one of ${choices.join(', ')}`;
  const types: unknown = params['type'];
  if (Array.isArray(types)) return `must be ${types.join(' or ')}`;
  return 'allowedValue' in params ? `must be ${String(params['allowedValue'])}` : message;
}

function unknownField(name: string, properties: unknown): string {
  const known = isRecord(properties) ? Object.keys(properties) : [];
  const guess = nearest(name, known);
  const wayOut = guess === undefined ? `it has ${known.join(', ')}` : `did you mean ${guess}?`;
  return `${JSON.stringify(name.slice(0, 80))}: ${wayOut}`;
}

/** `/destination/config/0/value` → `destination.config[0].value`. */
function fieldPath(pointer: string): string {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => (/^\d+$/.test(part) ? `[${part}]` : `.${part}`))
    .join('')
    .replace(/^\./, '');
}

function at(root: unknown, pointer: string): unknown {
  let value = root;
  for (const part of pointer.split('/').slice(1)) value = isRecord(value) ? value[part] : undefined;
  return value;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

const MAX_DEPTH = 100;

/** Free-form JSON as deep as it may be has room in it. What reads a body by its schema calls itself for each level. */
export const MAX_BODY_DEPTH = 200;

/**
 * Refuses free-form JSON that is nested so deeply that printing it again would exhaust the stack. Schemas of tracking
 * plans, the deepest that people write, stay far below.
 */
export function refuseDeepNesting(value: unknown, place: string, most = MAX_DEPTH): void {
  if (!isDeeperThan(value, most + 1)) return;
  throw new ApiError('InvalidArgument', `${place} is nested deeper than ${most} levels`);
}
