import type { ReceiverClock } from './receiver-clock.ts';
import type { Duration, EventType, Script } from '../fault-script/step.ts';
import { createEncryption } from './encryption.ts';
import { type Endpoint, Endpoints } from './endpoints.ts';
import type { Filter } from './journal.ts';
import { Journal } from './journal.ts';
import { listen } from './listener.ts';
import type { Listener, Wrap } from './listener.ts';
import type { Observer } from './news.ts';
import { News } from './news.ts';
import { checkNames, checkOptions, phasesOf, urlOf } from './options.ts';
import type { ReceiverOptions } from './options.ts';
import { playOutage, type Stage } from './outage-player.ts';
import type { PlayedTurn } from './playback.ts';
import type { Forwarded, Received } from './received.ts';
import { receive } from './reception.ts';
import { resend, type Resent } from './resend.ts';
import type { TlsFault } from '../tls/tls-fault.ts';
import { systemClock } from './system-clock.ts';

const PATIENCE: Duration = '5s';
const COME_BACK_MS = 100;

export interface Patience {
  /** How long to wait, by the receiver's clock; default 5s. */
  readonly within?: Duration;
  /** Gives up early. */
  readonly signal?: AbortSignal;
}

export type Wanted = Filter & Patience;

/** What an endpoint is at the moment. */
export interface EndpointView {
  /** Undefined for the one that takes every path that no other has. */
  readonly path: string | undefined;
  readonly script: Script;
  /** Whether it has a secret, and so checks signatures. */
  readonly isChecking: boolean;
  /** Whether `resend` signs anew what came here: its secret is no public key. */
  readonly canSign: boolean;
  readonly application: string | undefined;
  /** What the next request gets: for each event type that the script names, then for all others. */
  readonly next: readonly { readonly type: EventType | undefined; readonly turn: PlayedTurn }[];
}

/** A simulated webhook endpoint: a real HTTP server that records what comes, and answers as its script says. */
export interface Receiver extends AsyncDisposable {
  readonly url: string;
  /** The certificate of the authority that senders have to trust, in PEM; undefined without TLS. */
  readonly ca: string | undefined;
  /** Of the endpoint without a path of its own. */
  readonly script: Script;
  /** Those with a path of their own, then the one for every other path. */
  readonly endpoints: readonly EndpointView[];
  /** What was read to its end so far, in order of arrival. */
  readonly received: readonly Received[];
  /** What the application behind the receiver answered to a request; undefined when it was not asked, or not yet. */
  answerTo(request: Received): Forwarded | undefined;
  /**
   * Sends a request again, signed anew where its endpoint has a secret that signs: to the path of the URL, or to the path
   * that was asked when the URL has none.
   */
  resend(request: Received, url: string): Promise<Resent>;
  /** The next request that this method has not given out yet, in order of arrival; waits for it if need be. */
  next(patience?: Patience): Promise<Received>;
  /**
   * The first request that matches, or the first `count`; earlier arrivals are included. Rejects with a message that
   * tells what did arrive.
   */
  waitFor(wanted: Wanted & { readonly count: number }): Promise<readonly Received[]>;
  waitFor(wanted?: Wanted): Promise<Received>;
  /**
   * Plays another script from its beginning, at the endpoint with this path, or at the one without. Throws a
   * ScriptError, and then the old one goes on; throws a RangeError for an endpoint that is not there.
   */
  setScript(script: string | Script, endpoint?: string): void;
  /** Forgets what was received, counts from 1 again, and plays every script from its beginning. */
  reset(): void;
  /** Calls back for all that happens, until the function that it returns is called. */
  onEvent(observer: Observer): () => void;
  /** Ends every connection and every wait; can be called again. */
  close(): Promise<void>;
}

/** Resolves when it listens. Throws for an option or a script that cannot be; rejects with a ListenError. */
export async function createReceiver(options: ReceiverOptions = {}): Promise<Receiver> {
  checkNames(options);
  checkOptions(options);
  const { clock = systemClock, keep, keepBytes, host = '127.0.0.1' } = options;
  const [endpoints, journal] = [new Endpoints(options), new Journal(clock, keep, keepBytes)];
  const news = new News(journal);
  const encryption = options.tls === undefined ? undefined : createEncryption(options.tls, Date.now());
  const phases = phasesOf(options);
  const handlers = receive({ clock, endpoints, tell: news.tell.bind(news) });
  const shown = { encryption };
  const wrap: Wrap = (raw, tell) => (shown.encryption === undefined ? raw : shown.encryption.wrap(raw, tell));
  const listener = await listen(options.port ?? 0, host, handlers, wrap);
  // Certificates are for a name.
  const name = encryption !== undefined && host === '127.0.0.1' ? 'localhost' : host;
  const url = urlOf(name, listener.port, encryption !== undefined);
  const ending = new AbortController();
  const parts = { url, ca: encryption?.ca, clock, endpoints, journal, news, listener, ending };
  const certify = (fault: TlsFault | undefined): void => {
    shown.encryption = fault === undefined ? encryption : encryption?.with(fault, Date.now());
    listener.drop();
  };
  if (phases.length > 0) void playOutage(phases, stageOf(parts, certify), clock, ending.signal);
  return new HttpReceiver(parts);
}

/** What an outage does to the parts of a receiver. */
function stageOf({ endpoints, news, clock, listener, ending }: Parts, certify: Stage['certify']): Stage {
  return {
    certify,
    play: (script) => {
      for (const { playback, path } of endpoints.all) {
        playback.playInstead(script);
        news.tell({ kind: 'scripted', at: clock.now(), endpoint: path, script: playback.script });
      }
    },
    leave: () => listener.leave(),
    comeBack: async () => {
      // Somebody else may have the port for a moment: an endpoint that is gone stays gone for so long.
      while (!ending.signal.aborted) {
        const isBack = await listener.reopen().then(
          () => true,
          () => false,
        );
        if (isBack) return;
        await clock.sleep(COME_BACK_MS, ending.signal);
      }
    },
  };
}

interface Parts extends Pick<Receiver, 'url' | 'ca'> {
  readonly clock: ReceiverClock;
  readonly endpoints: Endpoints;
  readonly journal: Journal;
  readonly news: News;
  readonly listener: Listener;
  /** Aborts when the receiver closes. */
  readonly ending: AbortController;
}

function viewOf({ path, playback, isChecking, signing, application }: Endpoint): EndpointView {
  const { script } = playback;
  return { path, script, isChecking, canSign: signing !== undefined, application, next: playback.ahead() };
}

class HttpReceiver implements Receiver {
  readonly url: string;
  readonly ca: string | undefined;
  readonly #parts: Parts;
  /** Set once, by the first `close`. */
  #closing: Promise<void> | undefined;

  constructor(parts: Parts) {
    this.url = parts.url;
    this.ca = parts.ca;
    this.#parts = parts;
  }

  get script(): Script {
    return this.#parts.endpoints.rest.playback.script;
  }

  get endpoints(): readonly EndpointView[] {
    return this.#parts.endpoints.all.map(viewOf);
  }

  get received(): readonly Received[] {
    return this.#parts.journal.received;
  }

  answerTo(request: Received): Forwarded | undefined {
    return this.#parts.news.answerTo(request);
  }

  async resend(request: Received, url: string): Promise<Resent> {
    const { endpoints } = this.#parts;
    return resend(request, url, endpoints.named(request.endpoint).signing);
  }

  async next({ within = PATIENCE, signal }: Patience = {}): Promise<Received> {
    return this.#parts.journal.next(within, signal);
  }

  waitFor(wanted: Wanted & { readonly count: number }): Promise<readonly Received[]>;
  waitFor(wanted?: Wanted): Promise<Received>;
  async waitFor({ count, within = PATIENCE, signal, ...filter }: Wanted & { readonly count?: number } = {}) {
    const { journal } = this.#parts;
    if (count === undefined) return journal.first(filter, within, signal);
    return journal.several(filter, count, within, signal);
  }

  setScript(script: string | Script, endpoint?: string): void {
    const { clock, endpoints, news } = this.#parts;
    const { playback, path } = endpoints.named(endpoint);
    playback.setScript(script);
    news.tell({ kind: 'scripted', at: clock.now(), endpoint: path, script: playback.script });
  }

  reset(): void {
    const { clock, endpoints, journal, news } = this.#parts;
    endpoints.reset();
    journal.reset();
    news.tell({ kind: 'reset', at: clock.now() });
  }

  onEvent(observer: Observer): () => void {
    return this.#parts.news.add(observer);
  }

  async close(): Promise<void> {
    // Whoever hangs up from here on, it was the receiver's doing, and nothing to tell.
    this.#parts.news.end();
    this.#parts.ending.abort();
    this.#parts.journal.close();
    this.#closing ??= this.#parts.listener.close();
    await this.#closing;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}
