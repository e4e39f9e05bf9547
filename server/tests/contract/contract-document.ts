import type { ValidateFunction } from 'ajv/dist/2020.js';
import { type Operation, operationsOf, type Schema } from '../../http/document.ts';
import { SHARED_VERSION } from '../support/shared-version.ts';

interface Media {
  readonly schema: Schema;
  readonly example?: unknown;
}

interface Response {
  readonly content?: Readonly<Record<string, Media>>;
}

interface RawDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, RawOperation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly responses?: Readonly<Record<string, Response>>;
  };
}

interface RawOperation {
  readonly requestBody?: { readonly required?: boolean; readonly content: { readonly 'application/json': Media } };
  readonly responses: Readonly<Record<string, Response & { readonly $ref?: string }>>;
}

/** One operation of the document, with what it says about its answers. */
export interface ContractOperation extends Operation {
  /** Ascending. */
  readonly statuses: readonly number[];
  /** The example of the request's body; undefined when the document has none. */
  readonly bodyExample: unknown;
  /** What the document says of a request without a body. */
  readonly isBodyRequired: boolean;
}

export interface Contract {
  readonly operations: readonly ContractOperation[];
  /** A schema, with its reference followed if it is one. */
  readonly resolve: (schema: Schema) => Schema;
  /** What is wrong with an answer by the document; undefined when it is as documented. */
  readonly faultOf: (operation: ContractOperation, answer: CheckedAnswer) => string | undefined;
}

export interface CheckedAnswer {
  readonly status: number;
  readonly type: string | null;
  readonly body: unknown;
}

/** The Config API as the document has it at this moment: nothing of it is repeated in these tests. */
export function loadContract(): Contract {
  const { document, validation } = SHARED_VERSION;
  // The same file, with the parts of it that only these tests look at.
  const raw: RawDocument = JSON.parse(JSON.stringify(document));
  const rawOf = ({ template, method }: Operation): RawOperation => known(raw.paths[template]?.[method], template);
  const checks = new Map<string, ValidateFunction>();
  const schemaOf = (operation: Operation, status: number): Schema | undefined => {
    const response = known(rawOf(operation).responses[status], `${operation.id} ${status}`);
    const { content } =
      response.$ref === undefined
        ? response
        : (known(raw.components.responses, response.$ref)[lastOf(response.$ref)] ?? {});
    return content?.[typeOf(operation, status)]?.schema;
  };
  return {
    operations: operationsOf(document).map((operation) => describe(operation, rawOf(operation))),
    resolve: (schema) => resolve(schema, raw),
    faultOf: (operation, { status, type, body }) => {
      const where = `${operation.id} ${status}`;
      if (!operation.statuses.includes(status)) return `${where} is not documented: ${JSON.stringify(body)}`;
      const wanted = typeOf(operation, status);
      if (type?.startsWith(wanted) !== true) return `${where} is of type ${type}, and not ${wanted}`;
      const check = checks.get(where) ?? validation.body(schemaOf(operation, status) ?? {});
      checks.set(where, check);
      return check(body) ? undefined : `${where}: ${JSON.stringify(check.errors)}`;
    },
  };
}

/** Errors are JSON, whatever a success is. */
function typeOf({ answerType }: Operation, status: number): string {
  return status === 200 ? answerType : 'application/json';
}

function describe(operation: Operation, { responses, requestBody }: RawOperation): ContractOperation {
  return {
    ...operation,
    statuses: Object.keys(responses)
      .map(Number)
      .toSorted((a, b) => a - b),
    bodyExample: requestBody?.content['application/json'].example,
    isBodyRequired: requestBody?.required === true,
  };
}

function resolve(schema: Schema, raw: RawDocument): Schema {
  const { $ref: reference, ...beside } = schema;
  if (typeof reference !== 'string') return schema;
  return resolve({ ...known(raw.components.schemas[lastOf(reference)], reference), ...beside }, raw);
}

function known<T>(found: T | undefined, name: string): T {
  if (found === undefined) throw new Error(`the document does not hold ${name}`);
  return found;
}

function lastOf(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1);
}
