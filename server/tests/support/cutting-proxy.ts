import { once } from 'node:events';
import { connect, createServer, type NetConnectOpts, type Server, type Socket } from 'node:net';

/** Stands between a client and a server, and cuts them apart where a test says. */
export class CuttingProxy implements AsyncDisposable {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #loseAnswerTo: string | undefined;
  #onLoss = (): void => undefined;
  #loseRequest: string | undefined;
  #isSilent = false;
  #losesAnswers = false;
  #refuses = false;
  #port = 0;

  static async start(target: NetConnectOpts): Promise<CuttingProxy> {
    const proxy = new CuttingProxy(target);
    await once(proxy.#server, 'listening');
    const address = proxy.#server.address();
    if (typeof address === 'object' && address !== null) proxy.#port = address.port;
    return proxy;
  }

  private constructor(target: NetConnectOpts) {
    this.#server = createServer((client) => this.#join(client, connect(target))).listen(0, '127.0.0.1');
  }

  get port(): number {
    return this.#port;
  }

  /** Cuts the next connection on which something with this text is sent, once the server has answered it. */
  loseAnswerTo(text: string, onLoss = (): void => undefined): void {
    this.#loseAnswerTo = text;
    this.#onLoss = onLoss;
  }

  /** Cuts the next connection on which something with this text is sent, before it reaches the server. */
  loseRequest(text: string): void {
    this.#loseRequest = text;
  }

  /** Passes on nothing more of the connections of now, and lets both sides believe that they are open. */
  silence(): void {
    this.#isSilent = true;
    for (const socket of this.#sockets) socket.pause();
  }

  /** Passes on no answer any more; what is asked arrives. */
  loseAnswers(): void {
    this.#losesAnswers = true;
  }

  /** While true, all connections are cut, and none is taken. */
  refuse(refuses: boolean): void {
    this.#refuses = refuses;
    if (refuses) for (const socket of this.#sockets) socket.destroy();
  }

  /** New connections pass on everything. */
  heal(): void {
    this.#isSilent = false;
    this.#losesAnswers = false;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #join(client: Socket, server: Socket): void {
    if (this.#refuses) {
      server.destroy();
      return void client.destroy();
    }
    let isAnswerLost = false;
    const cut = (): void => {
      client.destroy();
      server.destroy();
    };
    for (const socket of [client, server]) {
      this.#sockets.add(socket);
      socket.on('error', cut).on('close', cut);
      if (this.#isSilent) socket.pause();
    }
    client.on('data', (bytes) => {
      if (this.#loseRequest !== undefined && bytes.includes(this.#loseRequest)) {
        this.#loseRequest = undefined;
        return cut();
      }
      if (this.#loseAnswerTo !== undefined && bytes.includes(this.#loseAnswerTo)) {
        this.#loseAnswerTo = undefined;
        isAnswerLost = true;
      }
      server.write(bytes);
    });
    server.on('data', (bytes) => {
      if (this.#losesAnswers) return;
      if (!isAnswerLost) return void client.write(bytes);
      this.#onLoss();
      cut();
    });
  }
}
