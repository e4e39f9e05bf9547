import type { BackEnd } from '../fault-script/back-end.ts';
import type { Script } from '../fault-script/step.ts';
import type { EndpointOptions, ReceiverOptions } from './options.ts';
import { SOCKETS } from './performer.ts';
import { Playback } from './playback.ts';
import { Order, Recorder } from './recorder.ts';
import type { Scheme } from '../schemes/scheme.ts';
import { schemeOf } from '../schemes/schemes.ts';
import { isPublic } from '../schemes/standard-webhooks.ts';
import type { Expected } from './signature-verdict.ts';

/** One address of a receiver: its own script, its own secret, its own count of attempts. */
export interface Endpoint {
  /** Undefined for the one that takes every path that no other has. */
  readonly path: string | undefined;
  readonly playback: Playback;
  readonly recorder: Recorder;
  readonly isChecking: boolean;
  /** How its sender signs; undefined when nothing is known that signs. */
  readonly signing: { readonly scheme: Scheme; readonly secret: string } | undefined;
  readonly application: string | undefined;
}

/** What an endpoint can play that shares its port with others. */
const SHARED_PORT: BackEnd = {
  name: 'an endpoint that shares its port',
  refuses(step) {
    const { silence, reset, close } = step;
    if ((silence ?? reset ?? close) !== 'connect') return SOCKETS.refuses(step);
    return 'before anything is read nobody knows which endpoint is meant; use the stage upload, or a port of its own';
  },
};

/** Where nobody listens, when only some paths are named. */
const NOWHERE: Script = [{ status: 404, times: 'always' }];

/** A public key checks signatures, and makes none. */
function signingOf({ secret, scheme }: Expected): Endpoint['signing'] {
  return secret === undefined || isPublic(secret) ? undefined : { secret, scheme };
}

/** The endpoints of one port: those with a path of their own, and the one for every other path. */
export class Endpoints {
  readonly rest: Endpoint;
  readonly #named: ReadonlyMap<string, Endpoint>;

  /** Throws a ScriptError for a script that cannot be played. */
  constructor({ endpoints = {}, secret, scheme, script, seed, forward, keep }: ReceiverOptions) {
    const paths = Object.keys(endpoints);
    const order = new Order();
    const backEnd = paths.length === 0 ? SOCKETS : SHARED_PORT;
    const make = (path: string | undefined, given: EndpointOptions): Endpoint => {
      const expected = { secret: given.secret ?? secret, scheme: schemeOf(given.scheme ?? scheme) };
      return {
        path,
        playback: new Playback(backEnd, given.script, seed),
        recorder: new Recorder(expected, order, keep),
        isChecking: expected.secret !== undefined,
        signing: signingOf(expected),
        application: given.forward ?? forward,
      };
    };
    const elsewhere = script ?? (paths.length === 0 ? undefined : NOWHERE);
    this.rest = make(undefined, elsewhere === undefined ? {} : { script: elsewhere });
    this.#named = new Map(paths.map((path) => [path, make(path, endpoints[path] ?? {})]));
  }

  /** Whether the path of a request says whose it is. */
  get areSeveral(): boolean {
    return this.#named.size > 0;
  }

  get all(): readonly Endpoint[] {
    return [...this.#named.values(), this.rest];
  }

  /** The endpoint for a path as it came, query and all. */
  at(path: string): Endpoint {
    return this.#named.get(path.replace(/[?#].*$/s, '')) ?? this.rest;
  }

  /** The endpoint with exactly this path, or the one for the rest; throws when there is none. */
  named(path: string | undefined): Endpoint {
    const endpoint = path === undefined ? this.rest : this.#named.get(path);
    if (endpoint !== undefined) return endpoint;
    const known = this.areSeveral ? `there are ${[...this.#named.keys()].join(', ')}` : 'the receiver has none';
    throw new RangeError(`There is no endpoint ${JSON.stringify(path)}; ${known}`);
  }

  reset(): void {
    for (const { playback, recorder } of this.all) {
      playback.rewind();
      recorder.reset();
    }
  }
}
