import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

const CHECK_EVERY_MS = 500;
const CHECK_MS = 1_000;

/** One address in front of several routers, as a load balancer has it: a connection goes to a router that is ready. */
export class Balancer implements AsyncDisposable {
  readonly #routers: () => readonly string[];
  readonly #server: Server;
  readonly #over = new AbortController();
  readonly #ends = new Set<Socket>();
  readonly #checking: Promise<void>;
  #ready: readonly URL[] = [];
  #turn = 0;

  private constructor(routers: () => readonly string[]) {
    this.#routers = routers;
    this.#server = createServer((near) => this.#join(near));
    this.#checking = this.#keepChecking();
  }

  static async before(routers: () => readonly string[]): Promise<Balancer> {
    const balancer = new Balancer(routers);
    balancer.#server.listen(0, '127.0.0.1');
    await once(balancer.#server, 'listening');
    return balancer;
  }

  get url(): string {
    const address = this.#server.address();
    return `http://127.0.0.1:${address !== null && typeof address === 'object' ? address.port : 0}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#over.abort();
    for (const end of this.#ends) end.destroy();
    this.#server.close();
    await Promise.all([once(this.#server, 'close'), this.#checking]);
  }

  #join(near: Socket): void {
    this.#turn += 1;
    const router = this.#ready[this.#turn % this.#ready.length];
    if (router === undefined) return void near.destroy();
    const far = connect(Number(router.port), router.hostname);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      this.#ends.add(from);
      from.on('error', () => undefined);
      from.on('close', () => {
        this.#ends.delete(from);
        to.destroy();
      });
      from.pipe(to);
    }
  }

  async #keepChecking(): Promise<void> {
    const { signal } = this.#over;
    while (!signal.aborted) {
      const checked = await Promise.all(
        this.#routers().map(async (url) => ((await isReady(url)) ? [new URL(url)] : [])),
      );
      this.#ready = checked.flat();
      await wait(CHECK_EVERY_MS, undefined, { signal }).catch(() => undefined);
    }
  }
}

async function isReady(url: string): Promise<boolean> {
  try {
    const { ok } = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(CHECK_MS) });
    return ok;
  } catch {
    return false;
  }
}
