import fc from 'fast-check';
import type { Parameter, Schema } from '../../http/document.ts';
import type { Contract, ContractOperation } from './contract-document.ts';
import { mutate, mutations } from './mutation.ts';
import { type Hints, valuesOf } from '../../../testbed/contract/schema-arbitrary.ts';
import type { Request } from './world.ts';
import { CODE_POINT } from '../../../testbed/tests/support/code-point.ts';

type Headers = Readonly<Record<string, string>>;

/** A request whose path is not filled yet: what is missing names what exists when it is sent. */
export interface RequestDraft {
  readonly values: Readonly<Record<string, string | undefined>>;
  readonly query: readonly (readonly [name: string, value: string])[];
  readonly body: string | undefined;
  readonly token: 'writer' | 'reader' | 'stranger' | 'nobody';
  readonly headers: Headers;
}

/** Valid and nearly valid requests of one operation, as the document describes them. */
export function requestsOf(contract: Contract, operation: ContractOperation): fc.Arbitrary<RequestDraft> {
  const hints = { resolve: contract.resolve, texts: textsOf(contract, operation) };
  const inPlace = (place: string): Parameter[] => operation.parameters.filter((one) => one.in === place);
  return fc.record({
    values: fc.record(Object.fromEntries(inPlace('path').map((one) => [one.name, segments(one, hints)]))),
    query: queries(inPlace('query'), hints),
    body:
      operation.bodySchema === undefined
        ? fc.constant(undefined)
        : bodies(operation.bodySchema, operation.bodyExample, hints),
    token: fc.oneof(
      { arbitrary: fc.constant('writer' as const), weight: 12 },
      fc.constantFrom('reader', 'stranger', 'nobody'),
    ),
    headers: fc.oneof(
      { arbitrary: fc.constant<Headers>({}), weight: 6 },
      fc.constantFrom<Headers[]>({ 'if-match': '"other"' }, { 'if-match': '*' }, { 'content-type': 'text/plain' }),
    ),
  });
}

/** The request with every part of its path that the draft leaves open taken from `existing`. */
export function filledIn(
  { id: _id, method, template }: ContractOperation,
  { values, query, body, headers }: RequestDraft,
  existing: ReadonlyMap<string, string>,
): Request {
  const path = template.replaceAll(/\{(\w+)\}/g, (_whole, name: string) =>
    encodeURIComponent(values[name] ?? existing.get(name) ?? ''),
  );
  const search = query.map((pair) => pair.map(encodeURIComponent).join('=')).join('&');
  return { method, path: search === '' ? path : `${path}?${search}`, body, headers };
}

/** Seldom anything but what exists, or no success would be seen behind three parameters. */
function segments({ schema }: Parameter, hints: Hints): fc.Arbitrary<string | undefined> {
  const odd = fc.string({ unit: CODE_POINT, minLength: 1 });
  // No client can send these two: they are resolved before a request is made.
  const sendable = fc.oneof(valuesOf(schema, hints).map(String), odd).filter((text) => !/^\.{1,2}$/.test(text));
  return fc.oneof({ arbitrary: fc.constant(undefined), weight: 6 }, sendable);
}

function queries(parameters: readonly Parameter[], hints: Hints): fc.Arbitrary<(readonly [string, string])[]> {
  const known = parameters.map(({ name, schema }) => {
    const text = fc.oneof(
      { arbitrary: valuesOf(schema, hints).map(String), weight: 3 },
      fc.string({ unit: CODE_POINT }),
    );
    return fc.tuple(fc.constant(name), text);
  });
  const any = fc.tuple(fc.string({ unit: CODE_POINT }), fc.string({ unit: CODE_POINT }));
  return fc.array(fc.oneof(...known, any), { maxLength: 2 });
}

/** The example or what the schema allows, whole, changed in one place, or cut off in the middle. */
function bodies(schema: Schema, example: unknown, hints: Hints): fc.Arbitrary<string> {
  const values = fc.oneof(fc.constant(example), valuesOf(schema, hints));
  const nearly = fc.tuple(values, mutations()).map(([value, mutation]) => mutate(value, mutation));
  const whole = fc.oneof({ arbitrary: values, weight: 5 }, { arbitrary: nearly, weight: 5 }).map(textOf);
  const cut = fc.tuple(values, fc.nat()).map(([value, at]) => textOf(value).slice(0, at % textOf(value).length));
  return fc.oneof({ arbitrary: whole, weight: 10 }, cut);
}

function textOf(value: unknown): string {
  return JSON.stringify(value) ?? '';
}

/** Every text in the examples of the document, with the paths of the fields that the operation can change. */
function textsOf({ operations, resolve }: Contract, { bodySchema = {} }: ContractOperation): string[] {
  const examples = operations.flatMap(({ bodyExample }) => leaves(bodyExample));
  const fields = entriesOf(resolve(bodySchema)).flatMap(([key, inner]) =>
    entriesOf(resolve(inner)).map(([field]) => `${key}.${field}`),
  );
  return [...new Set([...examples, ...fields])];
}

function entriesOf(schema: Schema): [name: string, schema: Schema][] {
  return Object.entries(Object(schema['properties'] ?? {}));
}

function leaves(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(leaves) : [];
}

/** The request that the document itself shows. */
export function exampleDraft({ bodyExample }: ContractOperation): RequestDraft {
  const body = bodyExample === undefined ? undefined : JSON.stringify(bodyExample);
  return { values: {}, query: [], body, token: 'writer', headers: {} };
}
