import nock from 'nock';
import type { Behavior, Stop } from '../fault-script/behavior.ts';
import { prepare } from '../in-process/content.ts';
import { Endpoint } from '../in-process/endpoint.ts';
import type { EndpointOptions } from '../in-process/endpoint.ts';
import { silence } from '../in-process/silence.ts';
import { NOCK } from './back-end.ts';
import { type Given, requestsOf } from './caught-request.ts';
import { halfAnswer } from './half-answer.ts';
import { networkError } from './network-error.ts';
import { streamed } from './streamed.ts';

export { NOCK } from './back-end.ts';
export type { EndpointOptions } from '../in-process/endpoint.ts';

/** An endpoint that nock plays: for node:http, axios, got and global fetch, and with nock 15 for undici as well. */
export class NockEndpoint extends Endpoint implements Disposable {
  readonly #interceptor: nock.Interceptor;

  /** Importing this module activates nock for the whole process (`nock.restore()` ends it); never beside a listening MSW. */
  constructor(options: EndpointOptions) {
    super(NOCK, options);
    const { origin, pathname } = new URL(this.url);
    const scope = nock(origin).persist();
    const requestIn = requestsOf(scope, this.url);
    this.#interceptor = scope.post((uri) => uri.split('?')[0] === pathname);
    this.#interceptor.reply(async (given: Given) => this.#reply(requestIn(given)));
  }

  /** Takes its interceptor away again, and no other. */
  override close(): void {
    nock.removeInterceptor(this.#interceptor);
    super.close();
  }

  [Symbol.dispose](): void {
    this.close();
  }

  async #reply(request: Request): Promise<nock.ReplyFnResult> {
    const { behavior } = await this.turnFor(request);
    return this.#perform(behavior, request.url);
  }

  async #perform(behavior: Behavior, self: string): Promise<nock.ReplyFnResult> {
    switch (behavior.kind) {
      case 'answer': {
        const { status, headers, body } = prepare(behavior, self, this.clock, this.closed);
        return [status, body === undefined ? '' : streamed(body), Object.fromEntries(headers)];
      }
      case 'stop':
        return this.#stop(behavior);
      case 'unreachable':
        throw networkError(behavior.how);
      case 'malformed':
        throw new Error(`malformed:${behavior.how} was to be played, though scripts with it are refused`);
    }
  }

  async #stop({ manner, at, status }: Stop): Promise<nock.ReplyFnResult> {
    if (at === 'request') {
      if (manner === 'silence') await silence(this.closed);
      throw networkError('reset');
    }
    const { body, length } = halfAnswer(manner, this.closed);
    return [status, streamed(body), { 'Content-Type': 'text/plain', 'Content-Length': String(length) }];
  }
}
