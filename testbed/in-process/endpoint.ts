import type { ReceiverClock } from '../receiver/receiver-clock.ts';
import type { BackEnd } from '../fault-script/back-end.ts';
import type { Turn } from '../fault-script/player.ts';
import type { Duration, Script } from '../fault-script/step.ts';
import { Journal } from '../receiver/journal.ts';
import { refuseUndefined, refuseUnknown } from '../receiver/known-names.ts';
import { Playback } from '../receiver/playback.ts';
import { headerOf, type Received, type ReceiverEvent } from '../receiver/received.ts';
import type { Patience, Wanted } from '../receiver/receiver.ts';
import { Recorder } from '../receiver/recorder.ts';
import { systemClock } from '../receiver/system-clock.ts';
import { type SchemeChoice, schemeOf } from '../schemes/schemes.ts';
import { checkSecret } from '../schemes/secret.ts';
import { tellSentBody } from '../contract/sent-bodies.ts';
import { arrivalIn } from './arrival.ts';

const PATIENCE: Duration = '5s';
const UNCHECKED = 'leave it out for an endpoint that expects no signature';

export interface EndpointOptions {
  /** The URL that the sender posts to; http or https, its query string does not matter. */
  readonly url: string;
  /** The destination's `sharedSecret`; without it no signature is expected. */
  readonly secret?: string;
  /** How the sender signs: `stripe`, `github`, … or one from `custom`; default `waybill`. */
  readonly scheme?: SchemeChoice;
  /** What it does, in either form; default a plain 200 for everything. */
  readonly script?: string | Script;
  readonly seed?: number;
  readonly clock?: ReceiverClock;
}

const OF_ENDPOINT = [
  'url',
  'secret',
  'scheme',
  'script',
  'seed',
  'clock',
] as const satisfies readonly (keyof EndpointOptions)[];

/** A simulated webhook endpoint inside the sender's process: what a Receiver is on sockets. */
export class Endpoint {
  readonly url: string;
  readonly clock: ReceiverClock;
  readonly #journal: Journal;
  readonly #playback: Playback;
  readonly #recorder: Recorder;
  readonly #observers = new Set<(event: ReceiverEvent) => void>();
  /** Aborts when the endpoint is closed: then nobody waits for its answers any more. */
  readonly #closed = new AbortController();

  /** Throws a ScriptError for a script that the back-end refuses. */
  constructor(backEnd: BackEnd, options: EndpointOptions) {
    refuseUnknown('The endpoint', options, OF_ENDPOINT);
    refuseUndefined('', options, ['secret', 'scheme', 'script']);
    const { url, secret, scheme, script, seed, clock = systemClock } = options;
    const signing = schemeOf(scheme);
    if (secret !== undefined) checkSecret('The option secret', secret, signing, 'check', UNCHECKED);
    this.url = checkUrl(url);
    this.clock = clock;
    this.#journal = new Journal(clock, Number.POSITIVE_INFINITY);
    this.#playback = new Playback(backEnd, script, seed);
    this.#recorder = new Recorder({ secret, scheme: signing });
  }

  get script(): Script {
    return this.#playback.script;
  }

  /** What came so far, in order of arrival. */
  get received(): readonly Received[] {
    return this.#journal.received;
  }

  get closed(): AbortSignal {
    return this.#closed.signal;
  }

  /** Records a request, and says what it gets; the wait of a delay has passed when it resolves. */
  async turnFor(request: Request): Promise<Turn> {
    const arrival = await arrivalIn(request, this.clock.now());
    tellSentBody(headerOf(arrival, 'user-agent'), arrival.body);
    const { turn } = await this.#recorder.record(
      arrival,
      (type) => this.#playback.turn(type),
      (event) => this.#tell(event),
    );
    if (turn.delayMs > 0) await this.clock.sleep(turn.delayMs, this.closed);
    return turn;
  }

  async next({ within = PATIENCE, signal }: Patience = {}): Promise<Received> {
    return this.#journal.next(within, signal);
  }

  waitFor(wanted: Wanted & { readonly count: number }): Promise<readonly Received[]>;
  waitFor(wanted?: Wanted): Promise<Received>;
  async waitFor({ count, within = PATIENCE, signal, ...filter }: Wanted & { readonly count?: number } = {}) {
    if (count === undefined) return this.#journal.first(filter, within, signal);
    return this.#journal.several(filter, count, within, signal);
  }

  /** Plays another script, from its beginning. Throws a ScriptError, and then the old one goes on. */
  setScript(script: string | Script): void {
    this.#playback.setScript(script);
  }

  onEvent(observer: (event: ReceiverEvent) => void): () => void {
    this.#observers.add(observer);
    return () => {
      this.#observers.delete(observer);
    };
  }

  close(): void {
    this.#closed.abort();
    this.#journal.close();
  }

  #tell(event: ReceiverEvent): void {
    if (event.kind === 'received') this.#journal.add(event.request);
    for (const observer of this.#observers) observer(event);
  }
}

function checkUrl(text: string): string {
  const url = URL.parse(text);
  if (url !== null && /^https?:$/.test(url.protocol)) return url.origin + url.pathname;
  throw new TypeError(`The option url is ${JSON.stringify(text)}; give a whole http or https URL`);
}
