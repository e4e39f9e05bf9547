import type { EndpointOptions } from '../receiver/options.ts';
import { FlagError, given } from './flag-values.ts';
import type { Given } from './flag-values.ts';
import { readScript } from './script-flag.ts';

/** `/a=503x2,200` and `/a=s3cret`: the path, and what is for it. */
export function readEndpoints(scripts: Given, secrets: Given): Record<string, EndpointOptions> | undefined {
  const endpoints: Record<string, EndpointOptions> = {};
  for (const text of scripts) {
    const [path, script] = halvesOf('--endpoint', String(text));
    if (endpoints[path] !== undefined) throw new FlagError(`--endpoint ${path} is given twice; give it once`);
    endpoints[path] = given('script', readScript(`--endpoint ${path}`, script));
  }
  for (const text of secrets) {
    const [path, secret] = halvesOf('--endpoint-secret', String(text));
    const endpoint = endpoints[path];
    if (endpoint === undefined) throw new FlagError(`--endpoint-secret: there is no --endpoint ${path}`);
    endpoints[path] = { ...endpoint, ...given('secret', secret) };
  }
  return scripts.length === 0 && secrets.length === 0 ? undefined : endpoints;
}

/** The second half may be a secret, and is never repeated. */
function halvesOf(flag: string, text: string): readonly [path: string, rest: string | undefined] {
  const [, path, rest] = /^(\/[^=?#\s]*)(?:=(.*))?$/s.exec(text) ?? [];
  const example = flag === '--endpoint' ? '/hooks/a=503x2,200' : '/hooks/a=s3cret';
  if (path === undefined || (flag !== '--endpoint' && !rest))
    throw new FlagError(`${flag} needs a path that begins with /, and = before the rest, such as ${example}`);
  return [path, rest];
}
