import { readFileSync } from 'node:fs';
import type { Schema } from '../../http/document.ts';
import { SHARED_VERSION } from './shared-version.ts';

interface Response {
  readonly $ref?: string;
  readonly content?: { readonly 'application/json': { readonly schema: Schema } };
}

interface Responses {
  readonly paths: Record<string, Record<string, { readonly responses?: Record<string, Response> }>>;
  readonly components: { readonly responses: Record<string, Response> };
}

/** Says what is wrong with an answer by the document; undefined when it is as documented, or its path is not served. */
export type ContractCheck = (
  request: { method: string; path: string },
  status: number,
  body: unknown,
) => string | undefined;

/** Checks answers against the document: the status must stand there, and the body must be what it says. */
export function createContractCheck(): ContractCheck {
  const file = new URL('../../../generated/config-api.json', import.meta.url);
  const { paths, components }: Responses = JSON.parse(readFileSync(file, 'utf8'));
  const { validation } = SHARED_VERSION;
  const checks = new Map<string, ReturnType<typeof validation.body>>();
  return ({ method, path }, status, body) => {
    const verb = method.toLowerCase();
    // `{delivery}` alone would match `17:replay` too; only one of the two has the method.
    const template = Object.keys(paths).find(
      (candidate) => matches(candidate, path) && verb in (paths[candidate] ?? {}),
    );
    const responses = paths[template ?? '']?.[verb]?.responses;
    if (responses === undefined) return undefined;
    const where = `${method} ${template} ${status}`;
    const response = responses[status];
    if (response === undefined) return `${where} is not documented`;
    const { content } = response.$ref === undefined ? response : (components.responses[lastOf(response.$ref)] ?? {});
    const check = checks.get(where) ?? validation.body(content?.['application/json'].schema ?? {});
    checks.set(where, check);
    return check(body) ? undefined : `${where}: ${JSON.stringify(check.errors)}`;
  };
}

function matches(template: string, path: string): boolean {
  return new RegExp(`^${template.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path);
}

function lastOf(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1);
}
