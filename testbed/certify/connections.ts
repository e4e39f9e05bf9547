import { subscribe, unsubscribe } from 'node:diagnostics_channel';

/** What undici, with which the engine sends, tells of each connection that it has opened. */
const CONNECTED = 'undici:client:connected';

/** Counts the connections that this process opens to one place. */
export class Connections {
  readonly #port: string;
  /** Of all so far. */
  #count = 0;
  readonly #onConnected = (message: unknown) => {
    if (portIn(message) === this.#port) this.#count += 1;
  };

  constructor(url: string) {
    const { port, protocol } = new URL(url);
    this.#port = port || (protocol === 'https:' ? '443' : '80');
    subscribe(CONNECTED, this.#onConnected);
  }

  get count(): number {
    return this.#count;
  }

  [Symbol.dispose](): void {
    unsubscribe(CONNECTED, this.#onConnected);
  }
}

function portIn(message: unknown): string | undefined {
  if (typeof message !== 'object' || message === null || !('connectParams' in message)) return undefined;
  const { connectParams: params } = message;
  if (typeof params !== 'object' || params === null || !('port' in params && 'protocol' in params)) return undefined;
  const { port, protocol } = params;
  if (typeof port === 'string' && port !== '') return port;
  return protocol === 'https:' ? '443' : '80';
}
