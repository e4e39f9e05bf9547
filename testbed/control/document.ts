import { readFileSync } from 'node:fs';
import type { operations } from '../../generated/receiver-control.d.ts';

export type OperationId = keyof operations;

/** The few words of JSON Schema that the parameters of this document use. */
export interface ParameterSchema {
  readonly type?: 'string' | 'integer';
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
}

export interface Parameter {
  readonly name: string;
  readonly in: 'query' | 'path';
  readonly schema: ParameterSchema;
}

export interface Operation {
  readonly id: OperationId;
  readonly method: string;
  /** `/v1/requests/{number}`. */
  readonly template: string;
  readonly parameters: readonly Parameter[];
  /** Also of programs. */
  readonly needsToken: boolean;
}

interface Reference {
  readonly $ref: string;
}

interface RawOperation {
  readonly operationId: OperationId;
  readonly parameters?: readonly (Parameter | Reference)[];
  readonly security?: readonly object[];
}

/** The bundled document: every reference points into its own `components`. */
export interface Document {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, RawOperation>>>>;
  readonly components: object;
}

export function loadDocument(): Document {
  const file = new URL('../../generated/receiver-control.json', import.meta.url);
  // The file is written by `npm run generate`, which lints it, so its shape is known.
  const document: Document = JSON.parse(readFileSync(file, 'utf8'));
  return document;
}

export function operationsOf(document: Document): readonly Operation[] {
  return Object.entries(document.paths).flatMap(([template, methods]) =>
    Object.entries(methods).map(([method, { operationId, parameters = [], security = [] }]) => ({
      id: operationId,
      method: method.toUpperCase(),
      template,
      needsToken: security.length > 0,
      parameters: parameters.map((parameter) => {
        const found: Parameter = follow(document, parameter);
        return { ...found, schema: follow(document, found.schema) };
      }),
    })),
  );
}

/** What a reference points at; the linter has seen that it points at something of the right kind. */
function follow<T extends object>(document: Document, part: T | Reference): T {
  if (!('$ref' in part)) return part;
  // Here alone the compiler cannot follow: the reference is text.
  let found: T | undefined;
  let inner: object = document;
  for (const step of part.$ref.split('/').slice(1)) {
    found = Reflect.get(inner, step);
    inner = found ?? {};
  }
  if (found === undefined) throw new Error(`the document names ${part.$ref} and does not hold it`);
  return found;
}
