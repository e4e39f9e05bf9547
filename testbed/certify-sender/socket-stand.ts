import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { createEncryption, type Encryption } from '../receiver/encryption.ts';
import { during } from '../receiver/exchange.ts';
import { listen, type Wrap } from '../receiver/listener.ts';
import { urlOf } from '../receiver/options.ts';
import { perform } from '../receiver/performer.ts';
import type { ReceiverClock } from '../receiver/receiver-clock.ts';
import { readBody } from '../receiver/reception.ts';
import { arrivalOf } from '../receiver/recorder.ts';
import type { Identity } from '../tls/certificate.ts';
import type { TlsFault } from '../tls/tls-fault.ts';
import type { Desk } from './desk.ts';
import { Lateness } from './lateness.ts';
import type { Stand } from './stand.ts';

export interface SocketStandOptions {
  readonly host: string;
  readonly port: number;
  /** Speaks HTTPS, with certificates made on the spot, below this authority or one of its own. */
  readonly tls: boolean | Identity;
  readonly clock: ReceiverClock;
}

/** Listens, and answers each request as the desk says. Rejects with a ListenError. */
export async function openSocketStand(desk: Desk, options: SocketStandOptions): Promise<Stand> {
  const { host, port, tls, clock } = options;
  const authority = typeof tls === 'object' ? tls : undefined;
  const encryption = tls === false ? undefined : createEncryption('none', clock.now(), authority);
  const connections = new Connections(desk, clock, encryption);
  const handlers = { onFirstBytes: () => false, onRequest: connections.serve, onUnreadable: () => undefined };
  const listener = await listen(port, host, handlers, connections.wrap);
  connections.begin();
  return {
    url: urlOf(tls !== false && host === '127.0.0.1' ? 'localhost' : host, listener.port, tls !== false),
    get connections() {
      return connections.count;
    },
    release: () => connections.release(),
    ...(encryption && { tls: encryptedBy(encryption, connections) }),
    [Symbol.asyncDispose]: async () => {
      connections.close();
      await listener.close();
    },
  };
}

function encryptedBy({ ca }: Encryption, connections: Connections): NonNullable<Stand['tls']> {
  return {
    ca,
    play: (fault) => connections.play(fault),
    get open() {
      return connections.open;
    },
  };
}

/** The connections of a stand, and what is answered on them. */
class Connections {
  /** Of all so far. */
  count = 0;
  readonly #desk: Desk;
  readonly #clock: ReceiverClock;
  readonly #lateness = new Lateness();
  readonly #open = new Set<Socket>();
  /** Those on which an answer is under way. */
  readonly #busy = new Set<Socket>();
  /** What new connections meet; undefined for plain HTTP. */
  #encryption: Encryption | undefined;

  constructor(desk: Desk, clock: ReceiverClock, encryption: Encryption | undefined) {
    this.#desk = desk;
    this.#clock = clock;
    this.#encryption = encryption;
  }

  get open(): number {
    return this.#open.size;
  }

  readonly wrap: Wrap = (raw, tell) => {
    this.count += 1;
    this.#open.add(raw);
    raw.once('close', () => this.#open.delete(raw));
    this.#desk.lookAgain();
    return this.#encryption === undefined ? raw : this.#encryption.wrap(raw, tell);
  };

  readonly serve = (request: IncomingMessage, response: ServerResponse): void => void this.#serve(request, response);

  begin(): void {
    this.#lateness.begin();
  }

  close(): void {
    this.#lateness.close();
  }

  release(): void {
    for (const socket of this.#busy) socket.destroy();
  }

  play(fault: TlsFault): void {
    for (const socket of this.#open) socket.destroy();
    this.#encryption = this.#encryption?.with(fault, this.#clock.now());
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { socket } = request;
    const clock = this.#clock;
    const body = await readBody(request);
    if (body === undefined) return;
    const { turn, ended } = this.#desk.arrive(arrivalOf(request, body, clock.now()), this.#lateness.ms);
    this.#busy.add(socket);
    const ending = await during(socket, async (over) => perform(turn, { socket, response, clock, over }));
    this.#busy.delete(socket);
    ended(ending, clock.now());
  }
}
