import { VirtualClock } from '../../../testbed/simulation/virtual-clock.ts';
import { type Job, type JobKind, JobRunner, type Next, type RunnerPorts } from '../../jobs/runner.ts';
import type { JobStorage, LeaseRequest } from '../../storage/job-storage.ts';
import { Memory } from '../../storage/memory/memory.ts';
import { RecordingLog } from './ingestion-log.ts';

export type KindName = 'one' | 'two' | 'many';

/** How many jobs of each kind a router works on at the same time. */
export const AT_ONCE: Readonly<Record<KindName, number>> = { one: 1, two: 2, many: Infinity };

/** A job as it is stored. */
export interface StoredJob {
  readonly kind: KindName;
  readonly name: string;
  readonly steps: number;
  /** How long a step takes … */
  readonly stepMs: number;
  /** … and how long to wait for the next. */
  readonly waitMs: number;
}

interface Step {
  readonly router: number;
  readonly job: StoredJob;
}

export interface JobWorldOptions {
  /** Below 1; what is below the share of failures fails. */
  readonly random: () => number;
  /** Which share of what the storage is asked fails: half of it before anything is stored, half of it when the answer is lost. */
  readonly failing: number;
  /** What is between the world and its runners; twins put their mistakes there. */
  readonly runner?: (ports: RunnerPorts, kinds: readonly JobKind[]) => JobRunner;
  /** How leases are kept; absent: as the port says. */
  readonly leases?: 'had by everybody' | 'without end';
}

/** No step takes longer. */
export const MAX_STEP_MS = 9_000;

/** Several routers on one storage that fails at random, on a clock that is moved by hand. Notes what must not happen. */
export class JobWorld {
  readonly clock = new VirtualClock();
  readonly log = new RecordingLog();
  readonly jobs: StoredJob[] = [];
  /** The steps that were stored, in order. */
  readonly done: Step[] = [];
  readonly faults: string[] = [];
  readonly #options: JobWorldOptions;
  readonly #memory = new Memory({ clock: this.clock, versionOf: () => 0 });
  readonly #underWay = new Set<Step>();
  readonly #runners: JobRunner[] = [];
  readonly #deaths: PromiseWithResolvers<void>[] = [];
  readonly #stopped = new Set<number>();
  readonly #killed = new Set<number>();

  constructor(options: JobWorldOptions) {
    this.#options = options;
  }

  /** A router more; answers its number. */
  begin(): number {
    const router = this.#runners.length;
    const node = this.#memory.open(String(router));
    const storage = { leaseJob: (request: LeaseRequest) => this.#asked(router, () => this.#lease(node, request)) };
    const kinds = (['one', 'two', 'many'] as const).map((kind) => this.#kind(router, kind));
    const { runner: make = (ports, all) => new JobRunner(ports, all) } = this.#options;
    const runner = make({ storage, clock: this.clock, log: this.log }, kinds);
    this.#runners.push(runner);
    this.#deaths.push(Promise.withResolvers());
    runner.start();
    return router;
  }

  /** Stores a job, as the API of a router does. */
  add(router: number, job: StoredJob): void {
    this.jobs.push(job);
    if (this.isAlive(router)) this.#runners[router]?.look(job.kind);
  }

  isAlive(router: number): boolean {
    return router < this.#runners.length && !this.#stopped.has(router) && !this.#killed.has(router);
  }

  /** Ends a router in order; notes when that takes longer than a step, and when it is still at work afterwards. */
  async stop(router: number): Promise<void> {
    if (!this.isAlive(router)) return;
    const since = this.clock.steady();
    // One that is killed while it stops answers nobody any more.
    await Promise.race([this.#runners[router]?.stop(), this.#deaths[router]?.promise]);
    if (this.#killed.has(router)) return;
    this.#stopped.add(router);
    if (this.clock.steady() - since > MAX_STEP_MS) this.faults.push(`router ${router} is slow to stop`);
    for (const step of this.#underWay)
      if (step.router === router) this.faults.push(`${textOf(step)} outlives the stop`);
  }

  /** Ends a router at once: what it was doing is not stored, and nothing it asks is answered. */
  kill(router: number): void {
    if (!this.isAlive(router)) return;
    this.#killed.add(router);
    this.#deaths[router]?.resolve();
    for (const step of this.#underWay) if (step.router === router) this.#underWay.delete(step);
  }

  doneOf(job: StoredJob): number {
    return this.done.filter((step) => step.job === job).length;
  }

  get isDone(): boolean {
    return this.jobs.every((job) => this.doneOf(job) >= job.steps);
  }

  async end(): Promise<void> {
    const stopped = this.#runners.map((_runner, router) => this.stop(router));
    await this.clock.advance(MAX_STEP_MS);
    await Promise.all(stopped);
  }

  #kind(router: number, kind: KindName): JobKind {
    return {
      name: kind,
      atOnce: AT_ONCE[kind],
      find: () =>
        this.#asked(router, () => {
          const left = this.jobs.filter((job) => job.kind === kind && this.doneOf(job) < job.steps);
          return left.map((job): Job => ({ name: job.name, step: () => this.#step({ router, job }) }));
        }),
    };
  }

  async #step(step: Step): Promise<Next> {
    const { router, job } = step;
    if (this.#killed.has(router)) return new Promise(() => {});
    this.#noteFaults(step);
    this.#underWay.add(step);
    try {
      await this.clock.sleep(job.stepMs);
      return await this.#asked(router, () => {
        if (this.doneOf(job) < job.steps) this.done.push(step);
        return this.doneOf(job) < job.steps ? job.waitMs : 'over';
      });
    } finally {
      this.#underWay.delete(step);
    }
  }

  #noteFaults(step: Step): void {
    const { router, job } = step;
    if (this.#stopped.has(router)) this.faults.push(`${textOf(step)} begins after the stop`);
    const others = [...this.#underWay];
    if (others.some((other) => other.job === job)) this.faults.push(`${textOf(step)} runs twice at the same time`);
    const ofKind = others.filter((other) => other.router === router && other.job.kind === job.kind).length;
    if (ofKind >= AT_ONCE[job.kind]) this.faults.push(`${textOf(step)} is one too many of its kind`);
  }

  async #lease(node: Pick<JobStorage, 'leaseJob'>, request: LeaseRequest): Promise<boolean> {
    const { leases } = this.#options;
    const isHeld = await node.leaseJob(leases === 'without end' ? { ...request, forMs: Infinity } : request);
    return isHeld || leases === 'had by everybody';
  }

  async #asked<Answer>(router: number, act: () => Answer | Promise<Answer>): Promise<Answer> {
    const { random, failing } = this.#options;
    const luck = random();
    if (this.#killed.has(router)) return new Promise(() => {});
    if (luck < failing / 2) throw new Error('the storage cannot write');
    const answer = await act();
    if (luck < failing) throw new Error('the answer was lost');
    return answer;
  }
}

function textOf({ router, job }: Step): string {
  return `a step of ${job.kind}/${job.name} on router ${router}`;
}
