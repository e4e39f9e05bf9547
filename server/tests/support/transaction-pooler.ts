import { once } from 'node:events';
import { connect, createServer, type NetConnectOpts, type Server, type Socket } from 'node:net';

/** A session of the server, and who has it until its transaction ends. */
interface Session {
  readonly socket: Socket;
  client: Socket | undefined;
}

/** Where the type of a message is, and the count of its bytes: the first of a connection has no type. */
const [FIRST, OTHERS] = [0, 1];
/** The client is let in, and may ask. */
const WELCOME = Buffer.from([
  ...Buffer.from('R'),
  0,
  0,
  0,
  8,
  0,
  0,
  0,
  0,
  ...Buffer.from('Z'),
  0,
  0,
  0,
  5,
  ...Buffer.from('I'),
]);

/** Stands between clients and a server as PgBouncer does with `pool_mode = transaction`, all as one user of one database. */
export class TransactionPooler implements AsyncDisposable {
  readonly #target: NetConnectOpts;
  readonly #givesOut: 'latest' | 'oldest';
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  /** The one that was used last at the end. */
  readonly #free: Session[] = [];
  readonly #held = new Map<Socket, Session>();

  /** `givesOut`: which of the sessions that are free. */
  static async start(target: NetConnectOpts, givesOut: 'latest' | 'oldest'): Promise<TransactionPooler> {
    const pooler = new TransactionPooler(target, givesOut);
    await once(pooler.#server, 'listening');
    return pooler;
  }

  private constructor(target: NetConnectOpts, givesOut: 'latest' | 'oldest') {
    [this.#target, this.#givesOut] = [target, givesOut];
    this.#server = createServer((client) => this.#serve(client)).listen(0, '127.0.0.1');
  }

  get port(): number {
    const address = this.#server.address();
    return typeof address === 'object' && address !== null ? address.port : 0;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #serve(client: Socket): void {
    let hello: Buffer | undefined;
    let turn = Promise.resolve();
    const pass = async (asked: Buffer, first: Buffer): Promise<void> => {
      const session = this.#held.get(client) ?? (await this.#take(client, first));
      session.socket.write(asked);
    };
    this.#read(client, FIRST, (message) => {
      if (hello === undefined) client.write(WELCOME);
      const first = (hello ??= message);
      if (first !== message && message.toString('latin1', 0, 1) !== 'X') turn = turn.then(() => pass(message, first));
    });
  }

  async #take(client: Socket, hello: Buffer): Promise<Session> {
    const free = this.#givesOut === 'latest' ? this.#free.pop() : this.#free.shift();
    const session = free ?? (await this.#open(hello));
    session.client = client;
    this.#held.set(client, session);
    return session;
  }

  /** Resolves once the server is ready. */
  #open(hello: Buffer): Promise<Session> {
    const session: Session = { socket: connect(this.#target), client: undefined };
    session.socket.write(hello);
    return new Promise((ready) => {
      this.#read(session.socket, OTHERS, (message) => {
        const { client } = session;
        const isIdle = message.toString('latin1', 0, 1) === 'Z' && message.at(-1) === 'I'.charCodeAt(0);
        if (client === undefined) return isIdle ? ready(session) : undefined;
        if (isIdle) {
          this.#held.delete(client);
          session.client = undefined;
          this.#free.push(session);
        }
        client.write(message);
      });
    });
  }

  /** Hears whole messages. */
  #read(socket: Socket, before: number, heard: (message: Buffer) => void): void {
    let [rest, at]: [Buffer, number] = [Buffer.alloc(0), before];
    this.#sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('data', (bytes: Buffer) => {
      rest = Buffer.concat([rest, bytes]);
      while (rest.length >= at + 4 && rest.length >= at + rest.readInt32BE(at)) {
        const length = at + rest.readInt32BE(at);
        const message = rest.subarray(0, length);
        [rest, at] = [rest.subarray(length), OTHERS];
        heard(message);
      }
    });
  }
}
