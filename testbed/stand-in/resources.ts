import { RESOURCES } from '../../client/config/resources.ts';

/** A resource as the API answers it. */
export type Resource = Readonly<Record<string, unknown>> & { readonly name: string };

/** The keys of resources in the bodies of creates, by collection; a collection that is not here takes the body as it is. */
const KEYS: ReadonlyMap<string, string> = new Map(
  Object.values(RESOURCES).map(({ collection, key }) => [lastOf(collection), key]),
);

function lastOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** Makes and looks at resources with requests of the API, as the holder of a token. */
export class Resources {
  readonly #send: (request: Request) => Promise<Response>;
  readonly #token: string;

  constructor(send: (request: Request) => Promise<Response>, token: string) {
    this.#send = send;
    this.#token = token;
  }

  async add(collection: string, resource: object): Promise<Resource> {
    const key = KEYS.get(lastOf(collection));
    const body = key === undefined ? resource : { [key]: resource };
    const { name } = await this.#ask(collection, { method: 'POST', body: JSON.stringify(body) });
    const made = await this.get(String(name));
    if (made === undefined) throw new Error(`${String(name)} was made, and is not there`);
    return made;
  }

  async get(name: string): Promise<Resource | undefined> {
    const response = await this.#request(name);
    if (response.status === 404) return undefined;
    return Object(await answerOf(response));
  }

  async list(collection: string): Promise<readonly Resource[]> {
    const all: Resource[] = [];
    for (let token = ''; ;) {
      const page = await this.#ask(`${collection}?page_size=1000&page_token=${encodeURIComponent(token)}`);
      all.push(...Object(Object.values(page).find(Array.isArray)));
      token = String(page['next_page_token']);
      if (token === '') return all;
    }
  }

  async #ask(path: string, init?: RequestInit): Promise<Readonly<Record<string, unknown>>> {
    return answerOf(await this.#request(path, init));
  }

  #request(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = { authorization: `Bearer ${this.#token}` };
    return this.#send(new Request(`http://stand-in/v1beta/${path}`, { ...init, headers }));
  }
}

async function answerOf(response: Response): Promise<Readonly<Record<string, unknown>>> {
  const body: unknown = await response.json();
  if (!response.ok) throw new Error(String(Object(body).error));
  return Object(body);
}
