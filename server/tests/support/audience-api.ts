import { startWorld, type World, type WorldAnswer } from '../contract/world.ts';

export const HOME = 'workspaces/main';
export const PRO = { trait: 'plan', is: { eq: 'pro' } };
export const SPENT = { sum: { where: 'all', of: 'properties.total' } };

/** The Config API, with what audiences are asked by. */
export interface Api {
  readonly post: (path: string, body?: object) => Promise<WorldAnswer>;
  readonly get: (path: string) => Promise<WorldAnswer>;
  readonly patch: (name: unknown, key: string, fields: object) => Promise<WorldAnswer>;
  readonly remove: (name: unknown) => Promise<WorldAnswer>;
  readonly audience: (display_name: string, definition?: object, more?: object) => Promise<WorldAnswer>;
  readonly trait: (display_name: string, definition?: object) => Promise<WorldAnswer>;
}

export function apiOf({ send }: World): Api {
  const post: Api['post'] = (path, body) =>
    send({ method: 'POST', path: `/v1beta/${path}`, body: JSON.stringify(body) });
  return {
    post,
    get: (path) => send({ method: 'GET', path: `/v1beta/${path}` }),
    patch(name, key, fields) {
      const paths = Object.keys(fields).map((field) => `${key}.${field}`);
      const body = JSON.stringify({ [key]: fields, update_mask: { paths } });
      return send({ method: 'PATCH', path: `/v1beta/${String(name)}`, body });
    },
    remove: (name) => send({ method: 'DELETE', path: `/v1beta/${String(name)}` }),
    audience: (display_name, definition = PRO, more = {}) =>
      post(`${HOME}/audiences`, { audience: { display_name, definition, ...more } }),
    trait: (display_name, definition = SPENT) =>
      post(`${HOME}/computed-traits`, { computed_trait: { display_name, definition } }),
  };
}

export async function startApi(options?: { keepsLog: boolean }): Promise<Api> {
  return apiOf(await startWorld(options));
}

export function errorOf({ status, body }: WorldAnswer): string {
  return `${status} ${String(body['error'])}`;
}
