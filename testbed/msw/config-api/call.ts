import * as v from 'valibot';
import type { Caller, ConfigModel } from '../../contract/config-model.ts';
import { Refusal } from './refusal.ts';

/** A request that has passed the checks that do not depend on what exists. */
export interface Call {
  readonly caller: Caller;
  /** `workspaces/main/sources/web`: the path below `/v1beta/`. */
  readonly resource: string;
  readonly query: unknown;
  readonly body: unknown;
  readonly ifMatch: string | null;
}

/** What an operation asks of its requests: the generated validators. */
export interface Demands {
  readonly writes: boolean;
  readonly query?: v.GenericSchema;
  readonly body?: v.GenericSchema;
}

/** Checks in the order of the router (D-5): token, scope, query and body. Throws a Refusal. */
export async function readCall(request: Request, model: ConfigModel, demands: Demands): Promise<Call> {
  const caller = authenticate(request.headers.get('authorization'), model);
  const refused = model.refusal(caller, demands.writes);
  if (refused !== undefined) throw new Refusal(refused.status, refused.error);
  const url = new URL(request.url);
  return {
    caller,
    resource: decodeURIComponent(tidy(url.pathname).replace(/^.*?\/v1beta\//, '')),
    query: accept(demands.query, queryOf(url)),
    body: demands.body === undefined ? undefined : accept(demands.body, parsed(await request.text())),
    ifMatch: request.headers.get('if-match'),
  };
}

/** Clients send doubled slashes and one at the end (D-6). */
export function tidy(path: string): string {
  return path.replaceAll(/\/{2,}/g, '/').replace(/\/$/, '');
}

/** `Bearer <token>`, or Basic with the token as password (CFG-12, D-8). */
export function authenticate(header: string | null, model: ConfigModel): Caller {
  if (header === null) throw new Refusal(401, 'no access token: send the header `Authorization: Bearer <token>`');
  const plaintext = plaintextOf(header);
  if (plaintext === undefined) throw new Refusal(401, 'the Authorization header is neither `Bearer <token>` nor Basic');
  const caller = model.callers.find((known) => known.plaintext === plaintext);
  if (caller === undefined) throw new Refusal(401, 'the access token is not valid');
  return caller;
}

function plaintextOf(header: string): string | undefined {
  const [, scheme = '', credentials = ''] = /^(bearer|basic) +(\S+) *$/i.exec(header) ?? [];
  if (scheme.toLowerCase() !== 'basic') return scheme === '' ? undefined : credentials;
  const pair = Buffer.from(credentials, 'base64').toString('utf8');
  return pair.includes(':') ? pair.slice(pair.indexOf(':') + 1) : undefined;
}

/** Numbers and switches are text in a URL. */
function queryOf({ searchParams }: URL): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    [...searchParams].map(([name, text]) => {
      if (name === 'page_size') return [name, /^\d+$/.test(text) ? Number(text) : text];
      return [name, text === 'true' || text === 'false' ? text === 'true' : text];
    }),
  );
}

function parsed(text: string): unknown {
  try {
    return text === '' ? {} : JSON.parse(text);
  } catch (error) {
    throw new Refusal(400, `the body is not valid JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function accept(schema: v.GenericSchema | undefined, value: unknown): unknown {
  if (schema === undefined) return value;
  const result = v.safeParse(schema, value);
  if (result.success) return result.output;
  const [issue] = result.issues;
  throw new Refusal(400, `${v.getDotPath(issue) ?? 'the body'}: ${issue.message}`);
}
