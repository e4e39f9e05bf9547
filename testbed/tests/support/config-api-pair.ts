import { isDeepStrictEqual } from 'node:util';
import type { Request, World, WorldAnswer } from '../../../server/tests/contract/world.ts';

type Send = World['send'];
type Json = Readonly<Record<string, unknown>>;

/** These are drawn or measured by each side for itself. */
const OWN = new Set([
  'id',
  'create_time',
  'update_time',
  'start_time',
  'end_time',
  'write_keys',
  'version',
  'node',
  'read_time',
  'count_start_time',
  'last_heard_time',
  'reset_time',
]);
/** In errors: the ids of plans that were refused, times, and tags, which are of ids and times too. */
const UNKNOWABLE = /rs_\w{27}|"[\w-]{27}"|\d{4}-\d\d-\d\dT[\d:]{8}Z/g;
/** The router notes it behind the request's back; the stand-in does not. */
const IGNORED = 'last_used_time';

/** Sends each request to the router and to a stand-in; throws where their answers differ, and answers the router's. */
export function pairOf(router: Send, standIn: Send, names = new Names()): Send {
  return async (request) => {
    const mine = names.translated(request);
    const [real, other] = await Promise.all([router(request), standIn(mine)]);
    names.learn(real.body, other.body);
    const [wanted, seen] = [comparable(real, names), comparable(other)];
    if (!isDeepStrictEqual(seen, wanted)) {
      const what = `${request.method} ${request.path} ${request.body ?? ''}`;
      throw new Error(`${what}: the router answers ${JSON.stringify(wanted)}, the stand-in ${JSON.stringify(seen)}`);
    }
    return real;
  };
}

/** Generated names, tokens and page tokens of the router, with those of the stand-in. */
export class Names {
  readonly #known = new Map<string, string>();

  learn(real: unknown, other: unknown): void {
    if (typeof real !== 'object' || real === null) return;
    for (const [key, value] of Object.entries(real)) {
      const counterpart: unknown = Reflect.get(Object(other), key);
      if (typeof value !== 'string' || typeof counterpart !== 'string') this.learn(value, counterpart);
      else if (['token', 'secret', 'next_page_token'].includes(key) && value !== '')
        this.#known.set(value, counterpart);
      else if (key === 'name') this.#learnName(value, counterpart);
    }
  }

  translated({ path, body, token, ...rest }: Request): Request {
    return {
      ...rest,
      path: this.text(path),
      body: body === undefined ? undefined : this.text(body),
      token: typeof token === 'string' ? this.text(token) : token,
    };
  }

  text(text: string): string {
    return [...this.#known].reduce((changed, [real, other]) => changed.replaceAll(real, other), text);
  }

  #learnName(real: string, other: string): void {
    const generated = /(?:^access-tokens\/\d+|^nodes\/\S+|(?:aud|df|rg|rs|tra)_\w{27})$/;
    const [[mine], [theirs]] = [generated.exec(real) ?? [], generated.exec(other) ?? []];
    if (mine !== undefined && theirs !== undefined) this.#known.set(mine, theirs);
  }
}

/** What has to be equal; the words of a 400 have not, and a plan that was refused has a name that nobody learnt. */
function comparable({ status, type, body }: WorldAnswer, names?: Names): unknown {
  const text = JSON.stringify(body, (key, value: unknown) => {
    if (key === IGNORED) return undefined;
    return OWN.has(key) && value !== undefined ? 'own' : value;
  });
  const fields: Json = JSON.parse(names === undefined ? text : names.text(text));
  const error = status === 400 ? 'in its own words' : String(fields['error']).replaceAll(UNKNOWABLE, '…');
  return { status, type: type?.split(';')[0], ...fields, ...(status === 200 ? {} : { error }) };
}
