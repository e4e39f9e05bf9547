import { RoundRobin } from '../fairness/round-robin.ts';

/** Longer than any part of a handshake with a certificate in use. */
const SLOW_MS = 20;
/** So many hosts are known. */
const HOSTS = 10_000;

/** What handshakes are paced by; a port, so that tests can move it by hand. */
export interface HandshakeTime {
  readonly now: () => number;
  /** In a later turn of the event loop. */
  readonly later: (next: () => void) => unknown;
}

/** Whose handshake it is, and with whom. */
export interface Handshaker {
  readonly workspace: string;
  readonly host: string;
}

const SYSTEM_TIME: HandshakeTime = { now: () => performance.now(), later: setImmediate };

/**
 * Whose part of a handshake is computed next. What it costs is the receiver's to say: certificates with slow keys take 70 ms of the
 * 16 KB that they may have, and hundreds could arrive at once. So a turn of the event loop begins nothing more once it has
 * computed for 20 ms. Hosts whose certificate was trusted come before those that nobody knows in every second turn, and after them in
 * the others; workspaces take turns in both.
 */
export class HandshakeTurns {
  readonly #time: HandshakeTime;
  readonly #trusted = new RoundRobin<() => void>();
  readonly #others = new RoundRobin<() => void>();
  /** Hosts that were trusted, and not slow since. */
  readonly #hosts = new Set<string>();
  /** Since the present turn began. */
  #tookMs = 0;
  #isNextAwaited = false;
  #isOthersTurn = false;

  constructor(time = SYSTEM_TIME) {
    this.#time = time;
  }

  /** At once where the turn has room. */
  pass({ workspace, host }: Handshaker, compute: () => void): void {
    const work = (): void => this.#compute(host, compute);
    if (this.#tookMs < SLOW_MS && !this.#trusted.any && !this.#others.any) return work();
    (this.#hosts.has(host) ? this.#trusted : this.#others).add(workspace, work);
    this.#awaitNext();
  }

  /** The handshake of this host is done. */
  trust(host: string): void {
    this.#hosts.delete(host);
    this.#hosts.add(host);
    const [oldest] = this.#hosts;
    if (this.#hosts.size > HOSTS && oldest !== undefined) this.#hosts.delete(oldest);
  }

  #compute(host: string, compute: () => void): void {
    const begun = this.#time.now();
    try {
      compute();
    } finally {
      const tookMs = this.#time.now() - begun;
      if (tookMs >= SLOW_MS) this.#hosts.delete(host);
      this.#tookMs += tookMs;
      this.#awaitNext();
    }
  }

  #awaitNext(): void {
    if (this.#isNextAwaited) return;
    this.#isNextAwaited = true;
    this.#time.later(() => {
      this.#isNextAwaited = false;
      this.#tookMs = 0;
      const [first, last] = this.#isOthersTurn ? [this.#others, this.#trusted] : [this.#trusted, this.#others];
      this.#isOthersTurn = !this.#isOthersTurn;
      while (this.#tookMs < SLOW_MS) {
        const next = first.take() ?? last.take();
        if (next === undefined) return;
        next();
      }
    });
  }
}
