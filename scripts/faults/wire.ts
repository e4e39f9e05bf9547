import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';

/** How a wire is broken: bytes go nowhere, connections end at once, or what is asked arrives and the answer does not. */
export type Break = 'held' | 'cut' | 'answers lost';

/** The way from one router to one server, on which it can be cut off. */
export class Wire implements AsyncDisposable {
  readonly #server: Server;
  readonly #ends = new Set<Socket>();
  #break: Break | undefined;

  private constructor(target: number) {
    this.#server = createServer((near) => this.#join(near, target));
  }

  /** A wire to a port of this machine. */
  static async to(target: number): Promise<Wire> {
    const wire = new Wire(target);
    wire.#server.listen(0, '127.0.0.1');
    await once(wire.#server, 'listening');
    return wire;
  }

  get port(): number {
    const address = this.#server.address();
    return address !== null && typeof address === 'object' ? address.port : 0;
  }

  break(how: Break): void {
    this.#break = how;
    if (how === 'cut') this.#endAll();
  }

  /** Connections of the time before end: none may go on as if nothing had been lost. */
  mend(): void {
    this.#break = undefined;
    this.#endAll();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#endAll();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #join(near: Socket, target: number): void {
    if (this.#break === 'cut') return void near.destroy();
    const far = connect(target, '127.0.0.1');
    this.#carry(near, far, () => this.#break !== 'held');
    this.#carry(far, near, () => this.#break === undefined);
  }

  #carry(from: Socket, to: Socket, isWhole: () => boolean): void {
    this.#ends.add(from);
    from.on('data', (bytes) => {
      if (isWhole()) to.write(bytes);
    });
    from.on('error', () => undefined);
    from.on('close', () => {
      this.#ends.delete(from);
      // A peer behind a held wire does not hear of the end either.
      if (isWhole() || this.#break === 'cut') to.destroy();
    });
  }

  #endAll(): void {
    for (const end of this.#ends) end.destroy();
  }
}
