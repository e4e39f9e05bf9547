import type { Duration, Script } from '../fault-script/step.ts';
import { createEncryption } from './encryption.ts';
import type { Filter } from './journal.ts';
import { Journal } from './journal.ts';
import { listen } from './listener.ts';
import type { Listener } from './listener.ts';
import { checkOptions, urlOf } from './options.ts';
import type { ReceiverOptions } from './options.ts';
import { SOCKETS } from './performer.ts';
import { Playback } from './playback.ts';
import type { Received, ReceiverEvent } from './received.ts';
import { receive } from './reception.ts';
import { Recorder } from './recorder.ts';
import { systemClock } from './system-clock.ts';

const PATIENCE: Duration = '5s';

export interface Patience {
  /** How long to wait, by the receiver's clock; default 5s. */
  readonly within?: Duration;
}

export type Wanted = Filter & Patience;

/** A simulated webhook endpoint: a real HTTP server that records what comes, and answers as its script says. */
export interface Receiver extends AsyncDisposable {
  readonly url: string;
  /** The certificate of the authority that senders have to trust, in PEM; undefined without TLS. */
  readonly ca: string | undefined;
  readonly script: Script;
  /** What was read to its end so far, in order of arrival. */
  readonly received: readonly Received[];
  /** The next request that this method has not given out yet, in order of arrival; waits for it if need be. */
  next(patience?: Patience): Promise<Received>;
  /**
   * The first request that matches, or the first `count`; earlier arrivals are included. Rejects with a message that
   * tells what did arrive.
   */
  waitFor(wanted: Wanted & { readonly count: number }): Promise<readonly Received[]>;
  waitFor(wanted?: Wanted): Promise<Received>;
  /** Plays another script, from its beginning. Throws a ScriptError, and then the old one goes on. */
  setScript(script: string | Script): void;
  /** Calls back for all that happens, until the function that it returns is called. */
  onEvent(observer: (event: ReceiverEvent) => void): () => void;
  /** Ends every connection and every wait; can be called again. */
  close(): Promise<void>;
}

/** Resolves when it listens. Throws for an option or a script that cannot be; rejects with a ListenError. */
export async function createReceiver(options: ReceiverOptions = {}): Promise<Receiver> {
  checkOptions(options);
  const { secret, script, seed, clock = systemClock, keep = Number.POSITIVE_INFINITY, host = '127.0.0.1' } = options;
  const journal = new Journal(clock, keep);
  const playback = new Playback(SOCKETS, script, seed);
  const observers: Observers = new Set();
  const tell: Observer = (event) => {
    if (event.kind === 'received') journal.add(event.request);
    for (const observer of observers) observer(event);
  };
  const encryption = options.tls === undefined ? undefined : createEncryption(options.tls, Date.now());
  const { forward } = options;
  const desk = { clock, playback, tell, recorder: new Recorder(secret), ...(forward === undefined ? {} : { forward }) };
  const listener = await listen(options.port ?? 0, host, receive(desk), encryption?.wrap);
  // Certificates are for a name.
  const name = encryption !== undefined && host === '127.0.0.1' ? 'localhost' : host;
  const url = urlOf(name, listener.port, encryption !== undefined);
  return new HttpReceiver({ url, ca: encryption?.ca }, journal, playback, observers, listener);
}

type Observer = (event: ReceiverEvent) => void;
type Observers = Set<Observer>;

class HttpReceiver implements Receiver {
  readonly url: string;
  readonly ca: string | undefined;
  readonly #journal: Journal;
  readonly #playback: Playback;
  readonly #observers: Observers;
  readonly #listener: Listener;
  /** Set once, by the first `close`. */
  #closing: Promise<void> | undefined;

  constructor(
    { url, ca }: Pick<Receiver, 'url' | 'ca'>,
    journal: Journal,
    playback: Playback,
    observers: Observers,
    listener: Listener,
  ) {
    this.url = url;
    this.ca = ca;
    this.#journal = journal;
    this.#playback = playback;
    this.#observers = observers;
    this.#listener = listener;
  }

  get script(): Script {
    return this.#playback.script;
  }

  get received(): readonly Received[] {
    return this.#journal.received;
  }

  async next({ within = PATIENCE }: Patience = {}): Promise<Received> {
    return this.#journal.next(within);
  }

  waitFor(wanted: Wanted & { readonly count: number }): Promise<readonly Received[]>;
  waitFor(wanted?: Wanted): Promise<Received>;
  async waitFor({ count, within = PATIENCE, ...filter }: Wanted & { readonly count?: number } = {}) {
    return count === undefined ? this.#journal.first(filter, within) : this.#journal.several(filter, count, within);
  }

  setScript(script: string | Script): void {
    this.#playback.setScript(script);
  }

  onEvent(observer: Observer): () => void {
    this.#observers.add(observer);
    return () => {
      this.#observers.delete(observer);
    };
  }

  async close(): Promise<void> {
    // Whoever hangs up from here on, it was the receiver's doing, and nothing to tell.
    this.#observers.clear();
    this.#journal.close();
    this.#closing ??= this.#listener.close();
    await this.#closing;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}
