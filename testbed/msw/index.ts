import { http, HttpResponse } from 'msw';
import type { HttpHandler } from 'msw';
import type { Answer, Behavior, Stop } from '../fault-script/behavior.ts';
import { prepare } from '../in-process/content.ts';
import { Endpoint } from '../in-process/endpoint.ts';
import type { EndpointOptions } from '../in-process/endpoint.ts';
import { silence } from '../in-process/silence.ts';
import { MSW } from './back-end.ts';

export { MSW } from './back-end.ts';
export { configApiHandlers } from './config-api/config-api.ts';
export type { ConfigApi, ConfigApiCall, ConfigApiOptions } from './config-api/config-api.ts';
export { createFetchTransport } from './fetch-transport.ts';
export type { EndpointOptions } from '../in-process/endpoint.ts';

const BODY = 'This answer has a first half, and it has a second half as well.\n';

/**
 * An endpoint that MSW plays, for senders that use global fetch or node:http. Give its `handlers` to `setupServer`. MSW
 * does not see requests of the undici package's own Agent or Pool.
 */
export class MswEndpoint extends Endpoint implements Disposable {
  readonly handlers: readonly HttpHandler[];

  constructor(options: EndpointOptions) {
    super(MSW, options);
    this.handlers = [http.post(this.url, async ({ request }) => this.#respond(request))];
  }

  [Symbol.dispose](): void {
    this.close();
  }

  async #respond(request: Request): Promise<Response> {
    const { behavior } = await this.turnFor(request);
    return this.#perform(behavior, request.url);
  }

  async #perform(behavior: Behavior, self: string): Promise<Response> {
    switch (behavior.kind) {
      case 'answer':
        return this.#answer(behavior, self);
      case 'stop':
        return this.#stop(behavior);
      case 'unreachable':
        return HttpResponse.error();
      case 'malformed':
        throw new Error(`malformed:${behavior.how} was to be played, though scripts with it are refused`);
    }
  }

  #answer(answer: Answer, self: string): Response {
    const { status, headers, body } = prepare(answer, self, this.clock, this.closed);
    const stream = body === undefined ? null : ReadableStream.from(body);
    return new HttpResponse(stream, { status, headers: headers.map(([name, value]) => [name, value]) });
  }

  async #stop({ manner, at, status }: Stop): Promise<Response> {
    if (at === 'request') {
      if (manner === 'silence') await silence(this.closed);
      return HttpResponse.error();
    }
    const headers = { 'Content-Type': 'text/plain', 'Content-Length': String(BODY.length) };
    return new HttpResponse(ReadableStream.from(this.#half()), { status, headers });
  }

  async *#half(): AsyncGenerator<Uint8Array> {
    yield new TextEncoder().encode(BODY.slice(0, BODY.length / 2));
    await silence(this.closed);
  }
}
