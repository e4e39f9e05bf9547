import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Defect } from '../crash/defects.ts';
import { canPreload } from '../../server/tests/support/c-library.ts';
import { CuttingProxy } from '../../server/tests/support/cutting-proxy.ts';
import { type RouterProcess, startRouterProcess } from '../router/router-process.ts';
import { SleepingMachines } from './sleeping-machines.ts';

const ENTRY = fileURLToPath(new URL('router-at-another-time.ts', import.meta.url));

export interface FleetOptions {
  readonly token: string;
  readonly routers: number;
  /** Ports of the database's servers, on this machine. */
  readonly databasePorts: readonly number[];
  /** The URL of the database, given the ports by which its servers are reached. */
  readonly storage: (ports: readonly number[]) => string;
  /** What starts one of them, where it is of another version; asked at each start. */
  readonly entryOf?: ((index: number) => string | undefined) | undefined;
  /** Breaks the routers, to show that a run finds it. */
  readonly defect?: Defect | undefined;
}

/** How a router is cut off: bytes go nowhere, connections end at once, or what is asked arrives and the answer does not. */
export type Break = 'held' | 'cut' | 'answers lost';

/** One router, whichever process it is at the moment, and its ways to the servers of the database. */
interface Member {
  readonly ways: readonly CuttingProxy[];
  /** Its clock is ahead by so much. */
  readonly aheadMs: number;
  process: RouterProcess | undefined;
}

/** The clocks of neighbors are so far apart. */
const APART_MS = 10 * 60_000;
/** Of the log of one that ended. */
const LAST_LINES = 40;

/** Routers that share a database. */
export class Fleet implements AsyncDisposable {
  readonly #options: FleetOptions;
  readonly #members: readonly Member[];
  /** Absent where there is no compiler for them: who sleeps there is paused. */
  readonly #machines = canPreload() ? new SleepingMachines() : undefined;
  /** Those that were told to end. */
  readonly #told = new WeakSet<RouterProcess>();
  /** Of routers that ended by themselves: how, and what they said last. */
  readonly deaths: string[] = [];

  private constructor(options: FleetOptions, members: readonly Member[]) {
    this.#options = options;
    this.#members = members;
  }

  static async start(options: FleetOptions): Promise<Fleet> {
    const ways = Array.from({ length: options.routers }, () =>
      Promise.all(options.databasePorts.map((port) => CuttingProxy.start({ host: '127.0.0.1', port }))),
    );
    const members = (await Promise.all(ways)).map((own, index) => {
      return { ways: own, aheadMs: index * APART_MS, process: undefined };
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

  /** Of the router whose process has this number; undefined of one that has ended. */
  indexOf(pid: number): number | undefined {
    const index = this.#members.findIndex(({ process }) => process?.pid === pid);
    return index < 0 ? undefined : index;
  }

  async start(index: number): Promise<void> {
    const member = this.#member(index);
    const { token, storage, defect, entryOf } = this.#options;
    const flags = {
      port: '0',
      storage: storage(member.ways.map(({ port }) => port)),
      token,
      'allow-networks': '127.0.0.0/8',
      // Short, so that something waits in storage whenever a fault comes.
      'retry-first-wait': '200ms',
      'ahead-ms': String(member.aheadMs),
      ...(defect === undefined ? {} : { defect }),
    };
    const env = this.#machines?.envOf(index) ?? {};
    const started = await startRouterProcess(flags, { entry: entryOf?.(index) ?? ENTRY, env });
    member.process = started;
    void started.ended.then(() => this.#onEnd(index, started));
  }

  /** One that ended by itself is started again, as by a supervisor, and told of. */
  async #onEnd(index: number, ended: RouterProcess): Promise<void> {
    if (this.#told.has(ended)) return;
    const { stdout, stderr } = ended.written;
    const last = [...stdout.split('\n').slice(-LAST_LINES), stderr].join('\n');
    this.deaths.push(`router ${index} ended by itself at ${new Date().toISOString()}:\n${last}`);
    this.#member(index).process = undefined;
    await this.start(index).catch((error: unknown) => void this.deaths.push(String(error)));
  }

  async kill(index: number): Promise<void> {
    const member = this.#member(index);
    const dying = member.process;
    if (dying !== undefined) this.#told.add(dying);
    member.process = undefined;
    await dying?.kill();
  }

  /** As an operator does. Until it has ended, a load balancer would send it requests; answers its exit code. */
  async stop(index: number): Promise<number | null> {
    const member = this.#member(index);
    if (member.process === undefined) return null;
    this.#told.add(member.process);
    const code = await member.process.stop();
    member.process = undefined;
    return code;
  }

  pause(index: number): void {
    this.#signal(index, 'SIGSTOP');
  }

  resume(index: number): void {
    this.#signal(index, 'SIGCONT');
  }

  /** Its machine is suspended for so long, which takes as long: its clock stands still meanwhile, and that of the wall goes on. */
  async sleep(index: number, ms: number): Promise<void> {
    const begun = performance.now();
    this.pause(index);
    await wait(ms);
    this.#machines?.slept(index, performance.now() - begun);
    this.resume(index);
  }

  /** For each of them ten minutes have passed, by steady time. */
  passTenMinutes(): void {
    for (let index = 0; index < this.size; index += 1) this.#signal(index, 'SIGUSR2');
  }

  break(index: number, how: Break): void {
    for (const way of this.#member(index).ways) {
      if (how === 'held') way.silence();
      else if (how === 'cut') way.refuse(true);
      else way.loseAnswers();
    }
  }

  /** Connections of the time before end: none may go on as if nothing had been lost. */
  mend(index: number): void {
    for (const way of this.#member(index).ways) {
      way.refuse(true);
      way.heal();
      way.refuse(false);
    }
  }

  /** What the routers have written to their logs, the last lines of each. */
  logs(lines: number): string {
    return this.#members
      .map(({ process }, index) => `router ${index}:\n${process?.written.stdout.split('\n').slice(-lines).join('\n')}`)
      .join('\n');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#members.map((_, index) => this.kill(index)));
    await Promise.all(this.#members.flatMap(({ ways }) => ways).map((way) => way[Symbol.asyncDispose]()));
    this.#machines?.[Symbol.dispose]();
  }

  #signal(index: number, signal: 'SIGSTOP' | 'SIGCONT' | 'SIGUSR2'): void {
    const running = this.#member(index).process;
    if (running !== undefined) process.kill(running.pid, signal);
  }

  #member(index: number): Member {
    const member = this.#members[index];
    if (member === undefined) throw new Error(`there is no router ${index}`);
    return member;
  }
}
