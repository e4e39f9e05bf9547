import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';
import { isDeeperThan } from '../model/json-values.ts';
import { messageOf } from '../thrown.ts';
import type { Document, Operation, Parameter, Schema } from './document.ts';
import { ApiError, type FailureName } from './errors.ts';
import { SchemaCompiler } from './schema-compiler.ts';
import { wanted } from './wanted.ts';

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

/** The parts of a request, checked against the document; each throws an ApiError for what is wrong with it. */
export interface OperationChecks {
  /** Of a path with values that the document does not allow nothing is known: a 404. */
  readonly path: (params: Readonly<Record<string, string>>) => unknown;
  readonly query: (text: string) => unknown;
  /** `get` answers a header in any case, and an empty text for one that was not sent. */
  readonly headers: (get: (name: string) => string) => unknown;
  /** Undefined where the operation takes no body. */
  readonly body: ((sent: unknown) => unknown) | undefined;
}

/** The checks of one operation: the schemas that the document itself holds, compiled. */
export function checksOf({ parameters, bodySchema }: Operation, validation: Validation): OperationChecks {
  const of = (place: Parameter['in']): Parameter[] => parameters.filter((parameter) => parameter.in === place);
  const [path, query, header] = [of('path'), of('query'), of('header')];
  const [headers, documented] = [header.map(({ name }) => name), new Set(query.map(({ name }) => name))];
  const checkPath = path.length > 0 ? validation.parameters(path) : undefined;
  const checkQuery = validation.parameters(query);
  const checkHeader = header.length > 0 ? validation.parameters(header) : undefined;
  const checkBody = bodySchema && validation.body(bodySchema);
  return {
    path: checkPath ? (params) => accept(checkPath, { ...params }, 'NotFound') : () => NOTHING,
    query: (text) => accept(checkQuery, text === '' ? {} : queryOf(text, documented), 'InvalidArgument'),
    headers: checkHeader ? (get) => accept(checkHeader, headersOf(get, headers), 'InvalidArgument') : () => NOTHING,
    body: checkBody && ((sent) => accept(checkBody, sent, 'InvalidArgument')),
  };
}

/** The parameters of who takes none. */
const NOTHING = {};

/** Requests need few parameters; the largest are the events of pixels. */
const MAX_PARAMETERS = 500;

/**
 * The parameters of a query; one that is there several times has the list of its values. A documented one without a value
 * was left out: clients send `page_size=` (D-6). Koa's own reader takes quadratic time.
 */
export function queryOf(text: string, documented: ReadonlySet<string> = NONE): Record<string, string | string[]> {
  const count = text.split('&', MAX_PARAMETERS + 1).length;
  if (count > MAX_PARAMETERS) {
    throw new ApiError('InvalidArgument', `the query has more than ${MAX_PARAMETERS} parameters`);
  }
  const values = Map.groupBy(new URLSearchParams(text), ([name]) => name);
  const query = [...values].map(([name, pairs]) => [name, one(pairs.map(([, value]) => value))] as const);
  return Object.fromEntries(query.filter(([name, value]) => value !== '' || !documented.has(name)));
}

const NONE: ReadonlySet<string> = new Set();

function one(values: string[]): string | string[] {
  const [first, ...others] = values;
  return first === undefined || others.length > 0 ? values : first;
}

/** Headers in the spelling of the document: on the wire any case will do. */
function headersOf(get: (name: string) => string, names: readonly string[]): Record<string, string> {
  const sent = names.map((name) => [name, get(name)] as const);
  return Object.fromEntries(sent.filter(([, value]) => value !== ''));
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
  const seen = error.parentSchema?.['x-secret'] === undefined ? valueAt(root, error.instancePath) : undefined;
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

/** `/destination/config/0/value` → `destination.config[0].value`. */
function fieldPath(pointer: string): string {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => (/^\d+$/.test(part) ? `[${part}]` : `.${part}`))
    .join('')
    .replace(/^\./, '');
}

function valueAt(root: unknown, pointer: string): unknown {
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

/** Reads the text of a body as JSON; throws a SyntaxError when it is none. */
export type ParseText = (text: string) => unknown;

/** Parses JSON; an empty body reads as an empty object, so that the schema says what is missing. */
export function parseJson(body: Buffer, parse: ParseText = JSON.parse): unknown {
  if (body.length === 0) return {};
  try {
    return parse(body.toString('utf8'));
  } catch (error) {
    const reason = messageOf(error);
    throw new ApiError('InvalidArgument', `the body is not valid JSON: ${reason.slice(0, 200)}`, { cause: error });
  }
}

const [QUOTE, BACKSLASH, COMMA, LIST, OBJECT, END_OF_OBJECT, COLON] = Buffer.from('"\\,[{}:');

/** Of one object. What is known has some dozens, what senders name some hundreds. */
const MAX_FIELDS = 10_000;

/**
 * Refuses a body of more values, before it is parsed: what each of them takes until its request is answered, in time and in memory, is
 * many times what its bytes take (SAFE-2). A field of an object that has very many takes 9 µs, where others take less than one.
 */
export function refuseManyValues(body: Buffer, most: number): void {
  if (body.length <= MAX_FIELDS) return;
  let [values, isText] = [0, false];
  /** Fields so far, of each object that is open. */
  const open: number[] = [];
  for (let at = 0; at < body.length; at += 1) {
    const byte = body[at];
    if (byte === QUOTE) isText = !isText;
    else if (isText) at += byte === BACKSLASH ? 1 : 0;
    else if (byte === COMMA || byte === LIST) values += 1;
    else if (byte === OBJECT) {
      values += 1;
      open.push(0);
    } else if (byte === END_OF_OBJECT) open.pop();
    else if (byte === COLON) open.push(oneMore(open.pop()));
  }
  if (values > most) throw new ApiError('InvalidArgument', `the body holds ${values} values, and may hold ${most}`);
}

function oneMore(fields = 0): number {
  if (fields < MAX_FIELDS) return fields + 1;
  throw new ApiError('InvalidArgument', `an object of the body has more than ${MAX_FIELDS} fields`);
}

/** Parses a form; of a field that is there twice the last one counts. */
export function parseForm(body: Buffer): unknown {
  return Object.fromEntries(new URLSearchParams(body.toString('utf8')));
}
