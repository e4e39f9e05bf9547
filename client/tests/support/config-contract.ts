import { readFileSync } from 'node:fs';
import * as v from 'valibot';
import * as schemas from '../../../generated/runtime/valibot.gen.ts';

/** What stands below a path: operations, and the parameters that they share, which have neither of these. */
interface Operation {
  readonly operationId?: string;
  readonly responses?: Readonly<Record<string, { readonly $ref?: string }>>;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: { readonly Status: { properties: { code: { enum: number[] } } } } };
}

const file = new URL('../../../generated/config-api.json', import.meta.url);

/** The contract of the Config API, as it is released with the client. */
export const contract: Document = JSON.parse(readFileSync(file, 'utf8'));

export interface Route {
  readonly operationId: string;
  /** The path of the contract, as `/v1beta/workspaces/{workspace}`. */
  readonly template: string;
}

/** The operation that a request is for, if the contract has one. */
export function routeOf(method: string, pathname: string): Route | undefined {
  const templates = Object.keys(contract.paths);
  const template = templates.find((path) => new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(pathname));
  const operation = template === undefined ? undefined : contract.paths[template]?.[method.toLowerCase()];
  const operationId = operation?.operationId;
  return template === undefined || operationId === undefined ? undefined : { operationId, template };
}

/** The operation that a request is for; of two paths that fit, the more exact one. */
export function operationOf(method: string, pathname: string): string | undefined {
  return Object.keys(contract.paths)
    .filter((path) => new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(pathname))
    .toSorted((one, other) => other.length - one.length)
    .flatMap((path) => contract.paths[path]?.[method.toLowerCase()]?.operationId ?? [])[0];
}

/** Every operation of the contract. */
export function allOperations(): string[] {
  return Object.values(contract.paths).flatMap((path) =>
    Object.values(path).flatMap(({ operationId }) => operationId ?? []),
  );
}

/** What is wrong with a body by the contract; empty when nothing is, or when it has no schema for such a body. */
export function bodyFaults(operationId: string, part: 'Body' | 'Response', body: unknown): string {
  const name = `v${operationId.charAt(0).toUpperCase()}${operationId.slice(1)}${part}`;
  const schema: unknown = Reflect.get(schemas, name);
  if (!isSchema(schema)) return '';
  const { issues = [] } = v.safeParse(schema, body);
  return issues.map((issue) => `${v.getDotPath(issue) ?? ''}: ${issue.message}`).join('; ');
}

function isSchema(value: unknown): value is v.GenericSchema {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'schema';
}
