import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { bodyFaults, type Route, routeOf } from './config-contract.ts';
import { asFields, ConfigStubStore, StubError } from './config-stub-store.ts';

export const TOKEN = 'stub-token-0123456789.abcdefghij';

/** A request as the stub saw it. */
export interface Received {
  readonly operationId: string | undefined;
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  /** Parsed; undefined when it was empty. */
  readonly body: unknown;
}

/** What happens to one request instead of an answer by the contract. */
export type Fault = (request: IncomingMessage, response: ServerResponse) => void;

/** An answer as it is, whatever the contract says. */
export function answer(status: number, body = '', headers: Readonly<Record<string, string>> = {}): Fault {
  return (_request, response) => response.writeHead(status, headers).end(body);
}

/** An error by the contract (D-2). */
export function error(status: number, code: number, message: string, headers: Record<string, string> = {}): Fault {
  return answer(status, JSON.stringify({ error: message, code }), { 'Content-Type': 'application/json', ...headers });
}

/** A Config API on a loopback port, in memory. Requests and answers that break the contract end in 400 and 500. */
export class ConfigStub implements AsyncDisposable {
  readonly received: Received[] = [];
  readonly #store = new ConfigStubStore();
  readonly #faults: Fault[] = [];
  readonly #server = createServer((request, response) => void this.#answer(request, response));

  static async start(): Promise<ConfigStub> {
    const stub = new ConfigStub();
    stub.#server.listen(0, '127.0.0.1');
    await once(stub.#server, 'listening');
    return stub;
  }

  get url(): string {
    const address = this.#server.address();
    if (address === null || typeof address === 'string') throw new Error('the stub does not listen');
    return `http://127.0.0.1:${address.port}`;
  }

  /** The next requests get these, one each; those after them are answered by the contract again. */
  next(...faults: readonly Fault[]): void {
    this.#faults.push(...faults);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '', headers } = request;
    const sent = await text(request);
    const body: unknown = sent === '' ? undefined : JSON.parse(sent);
    const { pathname, searchParams } = new URL(url, this.url);
    const route = routeOf(method, pathname);
    this.received.push({ operationId: route?.operationId, method, url, headers, body });
    const fault = this.#faults.shift();
    if (fault !== undefined) return fault(request, response);
    try {
      answer(200, JSON.stringify(this.#serve({ route, headers, pathname, query: searchParams, body })))(
        request,
        response,
      );
    } catch (thrown) {
      const { status, code, message } = thrown instanceof StubError ? thrown : new StubError(500, 13, String(thrown));
      error(status, code, message)(request, response);
    }
  }

  #serve({ route, headers, pathname, query, body }: Asked): unknown {
    if (headers.authorization !== `Bearer ${TOKEN}`) throw new StubError(401, 16, 'the access token is not valid');
    if (route === undefined) throw new StubError(404, 5, `nothing is served at ${pathname}`);
    const faults = bodyFaults(route.operationId, 'Body', body);
    if (faults !== '') throw new StubError(400, 3, faults);
    const answered = this.#perform(route, pathname.slice('/v1beta/'.length), query, asFields(body));
    const broken = bodyFaults(route.operationId, 'Response', answered);
    if (broken !== '') throw new Error(`the stub breaks the contract of ${route.operationId}: ${broken}`);
    return answered;
  }

  #perform({ operationId, template }: Route, name: string, query: URLSearchParams, body: Record<string, unknown>) {
    const [key = ''] = Object.keys(body).filter((field) => field !== 'update_mask');
    const sent = asFields(body[key]);
    switch (/^[a-z]+/.exec(operationId)?.[0] ?? '') {
      case 'list':
        return this.#page(name, template.slice(template.lastIndexOf('/') + 1).replaceAll('-', '_'), query);
      case 'get':
        return this.#store.get(name);
      case 'create':
        return this.#store.create(key, sent, name.split('/').slice(0, -1).join('/'));
      case 'update':
        return this.#store.update(name, sent, asPaths(asFields(body['update_mask'])['paths']));
      default:
        this.#store.delete(name, query.get('force') === 'true');
        return {};
    }
  }

  /** Tokens are the position of the next item; the page size stands in each request. */
  #page(collection: string, plural: string, query: URLSearchParams): unknown {
    const size = Number(query.get('page_size') ?? 100);
    const start = Number(query.get('page_token') ?? 0);
    const items = this.#store.list(collection);
    const end = start + size;
    return { [plural]: items.slice(start, end), next_page_token: end < items.length ? String(end) : '' };
  }
}

interface Asked extends Pick<Received, 'headers' | 'body'> {
  readonly route: Route | undefined;
  readonly pathname: string;
  readonly query: URLSearchParams;
}

function asPaths(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}
