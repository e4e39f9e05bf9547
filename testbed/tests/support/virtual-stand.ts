import type { Desk } from '../../certify-sender/desk.ts';
import type { Stand } from '../../certify-sender/stand.ts';
import type { Behavior } from '../../fault-script/behavior.ts';
import { simulateBehavior } from '../../simulation/simulated-behavior.ts';
import type { Endpoint } from '../../simulation/simulated-transport.ts';
import type { VirtualClock } from '../../simulation/virtual-clock.ts';
import type { TlsFault } from '../../tls/tls-fault.ts';

/** What a sender does on the wire that a transport without a network does not show. */
export interface Manners {
  readonly method?: string;
  /** Faults of certificates that it does not mind. */
  readonly trusts?: readonly TlsFault[];
  readonly follows?: true;
  /** Reads every answer to its end, however long that takes. */
  readonly readsAll?: true;
}

/** An address without a network: what is posted to `endpoint` comes to the desk, and is answered in virtual time. */
export class VirtualStand implements Stand {
  readonly url = 'https://sender.test/hook';
  connections = 0;
  readonly tls = {
    ca: '',
    open: 0,
    play: (fault: TlsFault) => {
      this.#fault = fault;
    },
  };
  readonly #clock: VirtualClock;
  readonly #manners: Manners;
  #desk: Desk | undefined;
  #fault: TlsFault = 'none';

  constructor(clock: VirtualClock, manners: Manners = {}) {
    this.#clock = clock;
    this.#manners = manners;
  }

  readonly open = (desk: Desk): Promise<Stand> => {
    this.#desk = desk;
    return Promise.resolve(this);
  };

  readonly release = (): void => undefined;

  readonly endpoint: Endpoint = ({ request }) => {
    const { method = 'POST', trusts = [], follows, readsAll = false } = this.#manners;
    if (this.#desk === undefined) throw new Error('nobody has opened the stand');
    this.connections += 1;
    if (this.#fault === 'handshake-reset') return { result: { kind: 'failed', failure: 'tls_other', detail: '' } };
    if (this.#fault !== 'none' && !trusts.includes(this.#fault))
      return { result: { kind: 'failed', failure: 'tls_untrusted', detail: '' } };
    const now = this.#clock.now();
    const { pathname: path } = new URL(request.url);
    const arrival = { at: now, method, path, headers: Object.entries(request.headers), body: request.body };
    const { turn, ended } = this.#desk.arrive(arrival);
    const { behavior, delayMs } = turn;
    const { deadlineMs } = request;
    const { afterMs = 0, result } = simulateBehavior(behavior, { now, delayMs, deadlineMs });
    const isLong = behavior.kind === 'answer' && 'bytes' in behavior.body && behavior.body.bytes > 0;
    const until = isLong && readsAll && isEndless(behavior) ? deadlineMs : Math.min(afterMs, deadlineMs);
    const isLeft = until >= deadlineMs || (isLong && !readsAll);
    void this.#clock.sleep(until).then(() => ended(isLeft ? 'left' : 'completed', this.#clock.now()));
    if (follows === true && behavior.kind === 'answer' && behavior.to !== undefined) {
      this.#desk.arrive({ ...arrival, path: behavior.to }).ended('completed', now);
      return { result: { kind: 'answered', status: 200, excerpt: '' } };
    }
    return { afterMs: until, result };
  };

  [Symbol.asyncDispose](): Promise<void> {
    return Promise.resolve();
  }
}

function isEndless(behavior: Behavior): boolean {
  return behavior.kind === 'answer' && 'bytes' in behavior.body && behavior.body.bytes === Number.POSITIVE_INFINITY;
}

/** Lets time pass until the work is done. */
export async function inVirtualTime<T>(clock: VirtualClock, work: Promise<T>): Promise<T> {
  const state = { isDone: false };
  const done = (): void => {
    state.isDone = true;
  };
  work.then(done, done);
  while (!state.isDone) await clock.advance(1_000);
  return work;
}
