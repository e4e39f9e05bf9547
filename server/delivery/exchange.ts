import type { Dispatcher } from 'undici';
import type { Failure, Phases, PostRequest, PostResult } from '../ports/transport.ts';
import { failureOf } from './failure.ts';

/** An answer's body is read this far and no further (D-24). */
const BODY_CAP = 16 * 1024;
/** So much of it is kept for the attempt log (D-31). */
const EXCERPT = 1024;

/** So many interim answers (1xx) are waited through; whoever sends more never means to end. */
const INTERIM_CAP = 32;

type Controller = Dispatcher.DispatchController;

/** What an exchange ends with that is ended from outside. */
export const CANCELLED: PostResult = { kind: 'failed', failure: 'cancelled', detail: 'the router is stopping' };

/**
 * One POST under way, as undici reports it: `connecting → writing → waiting → reading`, and then settled, once. The
 * deadline runs over all of it; when it strikes, the phase says what was being waited for. Once a status has arrived,
 * it alone decides, however the body goes on (D-24).
 */
export class Exchange implements Dispatcher.DispatchHandler {
  readonly #resolve: (result: PostResult) => void;
  readonly #mayLeave: () => boolean;
  readonly #deadline: NodeJS.Timeout;
  /** How long each phase took that has ended (D-31). */
  readonly #times: { -readonly [Field in keyof Phases]: number } = {};
  /** When the phase began. */
  #since = performance.now();
  #phase: Phase | 'settled' = 'connecting';
  /** Set once there is a connection, by which the request can be ended. */
  #controller: Controller | undefined;
  /** Set while reading. */
  #status = 0;
  #retryAfter: string | undefined;
  #excerpt: Buffer[] = [];
  #received = 0;
  #interim = 0;

  constructor({ deadlineMs, mayLeave = () => true }: PostRequest, resolve: (result: PostResult) => void) {
    [this.#resolve, this.#mayLeave] = [resolve, mayLeave];
    this.#deadline = setTimeout(() => this.#onDeadline(deadlineMs), deadlineMs);
  }

  /** Ends it from outside. */
  cancel(): void {
    this.#settle(CANCELLED);
    this.#controller?.abort(new Error('cancelled'));
  }

  onRequestStart(controller: Controller): void {
    this.#controller = controller;
    // The deadline struck before there was a connection: nothing may be sent on the one that has come now.
    if (this.#phase === 'settled') return controller.abort(new Error('settled'));
    if (!this.#mayLeave()) return this.cancel();
    this.#enter('writing');
  }

  onRequestSent(): void {
    if (this.#phase === 'writing') this.#enter('waiting');
  }

  onResponseStart(
    _controller: Controller,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    // A 1xx is no answer yet.
    if (status < 200) return this.#onInterim();
    this.#enter('reading');
    this.#status = status;
    const retryAfter = headers['retry-after'];
    this.#retryAfter = Array.isArray(retryAfter) ? retryAfter[0] : retryAfter;
  }

  onResponseData(controller: Controller, chunk: Buffer): void {
    if (this.#received < EXCERPT) this.#excerpt.push(chunk.subarray(0, EXCERPT - this.#received));
    this.#received += chunk.length;
    if (this.#received < BODY_CAP) return;
    this.#settle(this.#answer());
    controller.abort(new Error('read far enough'));
  }

  onResponseEnd(): void {
    this.#settle(this.#answer());
  }

  onResponseError(_controller: Controller, error: Error): void {
    if (this.#phase === 'reading') return this.#settle(this.#answer());
    this.#settle({ kind: 'failed', ...failureOf(error) });
  }

  #onInterim(): void {
    this.#interim += 1;
    if (this.#interim > INTERIM_CAP) this.#stop('protocol_error', `more than ${INTERIM_CAP} interim answers (1xx)`);
  }

  #onDeadline(deadlineMs: number): void {
    const seconds = `within ${deadlineMs / 1000} s`;
    switch (this.#phase) {
      case 'connecting':
        return this.#stop('connect_timeout', `no connection ${seconds}`);
      case 'writing':
        return this.#stop('write_timeout', `the request was not read ${seconds}`);
      case 'waiting':
        return this.#stop('first_byte_timeout', `no answer ${seconds}`);
      case 'reading':
        this.#settle(this.#answer());
        return this.#controller?.abort(new Error('deadline'));
      case 'settled':
        return undefined;
    }
  }

  #stop(failure: Failure, detail: string): void {
    this.#settle({ kind: 'failed', failure, detail });
    this.#controller?.abort(new Error(detail));
  }

  #answer(): PostResult {
    const excerpt = Buffer.concat(this.#excerpt).toString('utf8');
    const retryAfter = this.#retryAfter;
    return { kind: 'answered', status: this.#status, excerpt, ...(retryAfter === undefined ? {} : { retryAfter }) };
  }

  #settle(result: PostResult): void {
    if (this.#phase === 'settled') return;
    this.#enter('settled');
    clearTimeout(this.#deadline);
    this.#resolve({ ...result, phases: this.#times });
  }

  #enter(phase: Phase | 'settled'): void {
    if (this.#phase === 'settled') return;
    const now = performance.now();
    this.#times[FIELDS[this.#phase]] = Math.round(now - this.#since);
    [this.#since, this.#phase] = [now, phase];
  }
}

export type Phase = 'connecting' | 'writing' | 'waiting' | 'reading';

const FIELDS = { connecting: 'connectMs', writing: 'sendMs', waiting: 'waitMs', reading: 'readMs' } as const;
