import { fileURLToPath } from 'node:url';
import type { Defect } from '../crash/defects.ts';
import { type RouterProcess, startRouterProcess } from '../router/router-process.ts';
import { type Break, Wire } from './wire.ts';

const ENTRY = fileURLToPath(new URL('router-at-another-time.ts', import.meta.url));

export interface FleetOptions {
  readonly token: string;
  readonly routers: number;
  /** Ports of the database's servers, on this machine. */
  readonly databasePorts: readonly number[];
  /** The URL of the database, given the ports by which its servers are reached. */
  readonly storage: (ports: readonly number[]) => string;
  /** Breaks the routers, to show that a run finds it. */
  readonly defect?: Defect | undefined;
}

/** One router, whichever process it is at the moment, and its wires to the servers of the database. */
interface Member {
  readonly wires: readonly Wire[];
  /** Its clock is ahead by so much. */
  readonly aheadMs: number;
  process: RouterProcess | undefined;
}

/** The clocks of neighbors are so far apart. */
const APART_MS = 10 * 60_000;

/** Routers that share a database. */
export class Fleet implements AsyncDisposable {
  readonly #options: FleetOptions;
  readonly #members: readonly Member[];

  private constructor(options: FleetOptions, members: readonly Member[]) {
    this.#options = options;
    this.#members = members;
  }

  static async start(options: FleetOptions): Promise<Fleet> {
    const wires = Array.from({ length: options.routers }, () =>
      Promise.all(options.databasePorts.map((port) => Wire.to(port))),
    );
    const members = (await Promise.all(wires)).map((own, index) => {
      return { wires: own, aheadMs: index * APART_MS, process: undefined };
    });
    const fleet = new Fleet(options, members);
    try {
      await Promise.all(members.map((_, index) => fleet.start(index)));
    } catch (error) {
      await fleet[Symbol.asyncDispose]();
      throw error;
    }
    return fleet;
  }

  get size(): number {
    return this.#members.length;
  }

  /** Addresses of the routers that run; also of those that are paused, as a load balancer would have it. */
  get urls(): readonly string[] {
    return this.#members.flatMap(({ process }) => process?.url ?? []);
  }

  async start(index: number): Promise<void> {
    const member = this.#member(index);
    const { token, storage, defect } = this.#options;
    const flags = {
      port: '0',
      storage: storage(member.wires.map(({ port }) => port)),
      token,
      'allow-networks': '127.0.0.0/8',
      // Short, so that something waits in storage whenever a fault comes.
      'retry-first-wait': '200ms',
      'ahead-ms': String(member.aheadMs),
      ...(defect === undefined ? {} : { defect }),
    };
    member.process = await startRouterProcess(flags, { entry: ENTRY });
  }

  async kill(index: number): Promise<void> {
    const member = this.#member(index);
    const dying = member.process;
    member.process = undefined;
    await dying?.kill();
  }

  pause(index: number): void {
    this.#signal(index, 'SIGSTOP');
  }

  resume(index: number): void {
    this.#signal(index, 'SIGCONT');
  }

  break(index: number, how: Break): void {
    for (const wire of this.#member(index).wires) wire.break(how);
  }

  mend(index: number): void {
    for (const wire of this.#member(index).wires) wire.mend();
  }

  /** What the routers have written to their logs, the last lines of each. */
  logs(lines: number): string {
    return this.#members
      .map(({ process }, index) => `router ${index}:\n${process?.written.stdout.split('\n').slice(-lines).join('\n')}`)
      .join('\n');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#members.map(({ process }) => process?.kill() ?? Promise.resolve()));
    await Promise.all(this.#members.flatMap(({ wires }) => wires).map((wire) => wire[Symbol.asyncDispose]()));
  }

  #signal(index: number, signal: 'SIGSTOP' | 'SIGCONT'): void {
    const running = this.#member(index).process;
    if (running !== undefined) process.kill(running.pid, signal);
  }

  #member(index: number): Member {
    const member = this.#members[index];
    if (member === undefined) throw new Error(`there is no router ${index}`);
    return member;
  }
}
