import { readFileSync } from 'node:fs';

export type Schema = Readonly<Record<string, unknown>>;

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Schema;
}

interface Reference {
  readonly $ref: string;
}

interface Response {
  readonly content?: Readonly<Record<string, { readonly schema?: Schema }>>;
}

/** What a document can ask a body to be. */
export type BodyType = 'application/json' | typeof FORM;

export const FORM = 'application/x-www-form-urlencoded';

interface RawOperation {
  readonly operationId: string;
  readonly summary?: string;
  readonly parameters?: readonly (Parameter | Reference)[];
  readonly requestBody?: { readonly content: Readonly<Partial<Record<BodyType, { readonly schema: Schema }>>> };
  readonly responses: Readonly<Record<string, Response | Reference>>;
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
}

type PathItem = { readonly parameters?: readonly (Parameter | Reference)[] } & Readonly<
  Partial<Record<Method, RawOperation>>
>;

/** A bundled OpenAPI document: every reference points into its own `components`. */
export interface Document {
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly components: {
    readonly schemas?: Readonly<Record<string, Schema>>;
    readonly parameters?: Readonly<Record<string, Parameter>>;
    readonly responses?: Readonly<Record<string, Response>>;
  };
}

export const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;
export type Method = (typeof METHODS)[number];

/** One operation, with its references to parameters looked up. */
export interface Operation {
  readonly id: string;
  /** What it does, in a sentence. */
  readonly summary: string;
  readonly method: Method;
  /** As the document writes it: `/v1beta/workspaces/{workspace}`. */
  readonly template: string;
  readonly parameters: readonly Parameter[];
  readonly bodySchema: Schema | undefined;
  /** How a body is read, whatever content type the request names. */
  readonly bodyType: BodyType;
  /** What the document's `security` asks of the caller, e.g. `write`. */
  readonly scopes: readonly string[];
  /** Whether anybody may call it: its `security` is an empty list. */
  readonly isOpen: boolean;
  /** The media type of its 200. */
  readonly answerType: string;
  /** What its 200 holds. */
  readonly answerSchema: Schema;
}

/** Reads a bundled document from `generated/`. */
export function loadDocument(name: 'config-api' | 'ingestion-api'): Document {
  const file = new URL(`../../generated/${name}.json`, import.meta.url);
  // The file is written by `npm run generate`, which lints it, so its shape is known.
  const document: Document = JSON.parse(readFileSync(file, 'utf8'));
  return document;
}

export function operationsOf(document: Document): Operation[] {
  return Object.entries(document.paths).flatMap(([template, item]) =>
    METHODS.flatMap((method) => {
      const operation = item[method];
      return operation === undefined ? [] : [describe(document, template, item, method, operation)];
    }),
  );
}

function describe(
  document: Document,
  template: string,
  item: PathItem,
  method: Method,
  operation: RawOperation,
): Operation {
  return {
    id: operation.operationId,
    summary: operation.summary ?? '',
    method,
    template,
    parameters: [...(item.parameters ?? []), ...(operation.parameters ?? [])].map((p) =>
      lookUp(document.components.parameters, p),
    ),
    ...bodyOf(operation),
    scopes: (operation.security ?? []).flatMap((requirement) => Object.values(requirement).flat()),
    isOpen: operation.security?.length === 0,
    ...answerOf(document, operation),
  };
}

function bodyOf({
  requestBody: { content } = { content: {} },
}: RawOperation): Pick<Operation, 'bodySchema' | 'bodyType'> {
  const form = content[FORM];
  return form === undefined
    ? { bodySchema: content['application/json']?.schema, bodyType: 'application/json' }
    : { bodySchema: form.schema, bodyType: FORM };
}

function answerOf(
  document: Document,
  { operationId, responses }: RawOperation,
): Pick<Operation, 'answerType' | 'answerSchema'> {
  const success = responses['200'];
  const content = success === undefined ? {} : (lookUp(document.components.responses, success).content ?? {});
  const [found] = Object.entries(content);
  if (found === undefined) throw new Error(`the document does not say what the 200 of ${operationId} holds`);
  const [answerType, { schema: answerSchema = {} }] = found;
  return { answerType, answerSchema };
}

/** A part of the document, itself or where it refers to. */
export function lookUp<T extends object>(components: Readonly<Record<string, T>> | undefined, part: T | Reference): T {
  if (!('$ref' in part)) return part;
  const { $ref: reference } = part;
  const found = components?.[reference.slice(reference.lastIndexOf('/') + 1)];
  if (found === undefined) throw new Error(`the document names ${reference} and does not hold it`);
  return lookUp(components, found);
}
