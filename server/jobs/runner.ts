import { restAfter } from '../fairness/resting-queues.ts';
import { RoundRobin } from '../fairness/round-robin.ts';
import type { Log } from '../ports/log.ts';
import { Lease, type LeasePorts } from './lease.ts';
import { traceOf } from '../thrown.ts';

/** How often to look for jobs that other routers made, or did not finish. */
export const LOOK_MS = 10_000;
/** How long to wait before a storage that failed is asked again. */
export const PAUSE_MS = 1_000;

/** What a step leads to: the next one, after so many milliseconds, or nothing more. */
export type Next = number | 'over';

/** One piece of background work. What it has done is in the storage; what an object keeps besides may be lost at any time. */
export interface Job {
  /** Unique among the jobs of its kind. */
  readonly name: string;
  /** Whose it is. Of one workspace jobs are worked on in order; workspaces take turns. Absent: nobody's. */
  readonly workspace?: string;
  /**
   * A bounded step. It may be repeated: after a failure, a restart, or by another router when a lease has ended. One that
   * finds nothing left to do answers 'over'.
   */
  step(): Promise<Next>;
}

/** A kind of jobs. Work on a schedule is a job that is never over, or one that is found once it is due. */
export interface JobKind {
  readonly name: string;
  /**
   * How many of them are worked on at the same time: 1 means one after another in their order, each until it is over, over
   * all routers; what is more holds for each router, where each step leaves its place to another workspace, and one that
   * waits to any other.
   */
  readonly atOnce: number;
  /** How many of them are of one workspace, at most: where a step may take minutes, others wait for none of its steps. Absent: all. */
  readonly ofOne?: number;
  /** After a step its place stays empty for some time, which is left to what else asks the storage. */
  readonly rests?: true;
  /** What is left to do, in the order in which it is to be begun; of what is known already nothing is begun again. */
  find(): Promise<readonly Job[]>;
}

export interface RunnerPorts extends LeasePorts {
  readonly log: Log;
}

interface Work {
  readonly job: Job;
  readonly lease: Lease;
  /** Set when it is found while it is known: what it is to do may be newer than what its last step has read. */
  isFoundAgain: boolean;
  /** Its last step did. */
  hasFailed: boolean;
}

/** The jobs of one kind, as this router knows them. */
interface Queue {
  readonly kind: JobKind;
  /** The one of all its jobs, where they are worked on one after another. */
  readonly lease: Lease | undefined;
  /** Those that wait or are worked on, by name. */
  readonly known: Map<string, Work>;
  /** For one of the workers. */
  readonly waiting: RoundRobin<Work>;
  /** Of each place that is taken, by whom. */
  readonly holders: string[];
  /** Set while `find` is asked … */
  isLooking: boolean;
  /** … and then what came meanwhile may have been missed: it is asked again. */
  lookAgain: boolean;
}

/**
 * Works on jobs in steps, each job on one router at a time. A step that fails is tried again until it succeeds, so that
 * a storage that cannot write only holds up what it holds. Life: `start` once, which resumes what an earlier process left;
 * `stop` once.
 */
export class JobRunner {
  readonly #ports: RunnerPorts;
  readonly #queues: ReadonlyMap<string, Queue>;
  readonly #abort = new AbortController();
  /** An entry for each job that is worked on, and each look. None rejects. */
  readonly #underWay = new Set<Promise<void>>();
  #looking: Promise<void> | undefined;

  constructor(ports: RunnerPorts, kinds: readonly JobKind[]) {
    this.#ports = ports;
    const leaseOf = ({ atOnce, name }: JobKind): Lease | undefined =>
      atOnce === 1 ? new Lease(ports, name) : undefined;
    const idle = { isLooking: false, lookAgain: false };
    this.#queues = new Map(
      kinds.map((kind) => [
        kind.name,
        { kind, lease: leaseOf(kind), known: new Map(), waiting: new RoundRobin(), holders: [], ...idle },
      ]),
    );
  }

  start(): void {
    this.#looking = this.#keepLooking();
  }

  /** To be called when a job of this kind was stored, so that it begins at once. */
  look(kind: string): void {
    const queue = this.#queues.get(kind);
    if (queue === undefined) throw new Error(`there are no jobs of the kind ${JSON.stringify(kind)}`);
    if (queue.isLooking) queue.lookAgain = true;
    else this.#track(this.#find(queue));
  }

  /** Resolves when no job is left. */
  async idle(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.all(this.#underWay);
  }

  /** Ends between two steps; what is left goes on at the next start, or on another router. */
  async stop(): Promise<void> {
    this.#abort.abort();
    await this.#looking;
    await this.idle();
    for (const { waiting } of this.#queues.values()) for (const { lease } of waiting.takeAll()) await lease.giveBack();
  }

  async #keepLooking(): Promise<void> {
    const { signal } = this.#abort;
    while (!signal.aborted) {
      for (const kind of this.#queues.keys()) this.look(kind);
      await this.#ports.clock.sleep(LOOK_MS, signal);
    }
  }

  async #find(queue: Queue): Promise<void> {
    queue.isLooking = true;
    do {
      queue.lookAgain = false;
      const found = await this.#insist(queue.kind.name, () => queue.kind.find());
      for (const job of found ?? []) {
        this.#add(queue, job);
      }
      this.#fill(queue);
    } while (queue.lookAgain);
    queue.isLooking = false;
  }

  #add(queue: Queue, job: Job): void {
    const known = queue.known.get(job.name);
    if (known !== undefined) {
      known.isFoundAgain = true;
      return;
    }
    const lease = queue.lease ?? new Lease(this.#ports, `${queue.kind.name}/${job.name}`);
    const work = { job, lease, isFoundAgain: false, hasFailed: false };
    queue.known.set(job.name, work);
    queue.waiting.add(holderOf(work), work);
  }

  #fill(queue: Queue): void {
    const { kind, holders, waiting } = queue;
    const { atOnce, ofOne = atOnce } = kind;
    const mayHave = (holder: string): boolean => holders.filter((one) => one === holder).length < ofOne;
    while (holders.length < atOnce && !this.#abort.signal.aborted) {
      const work = waiting.take(mayHave);
      if (work === undefined) return;
      holders.push(holderOf(work));
      this.#track(this.#work(queue, work));
    }
  }

  async #work(queue: Queue, work: Work): Promise<void> {
    const begun = this.#ports.clock.steady();
    let next = await this.#step(work);
    if (queue.lease !== undefined) next = await this.#toItsEnd(work, next);
    const restMs = queue.kind.rests === true ? restAfter(this.#ports.clock.steady() - begun) : 0;
    if (next === 0) queue.waiting.addFirst(holderOf(work), work);
    else if (typeof next === 'number') this.#track(this.#comeBack(queue, work, next));
    else await this.#leave(queue, work, next);
    if (restMs > 0) await this.#ports.clock.sleep(restMs, this.#abort.signal);
    queue.holders.splice(queue.holders.indexOf(holderOf(work)), 1);
    this.#fill(queue);
  }

  /** It keeps its place until it is over. One that failed lets other workspaces go first, and keeps its own waiting. */
  async #toItsEnd(work: Work, after: Next | undefined): Promise<Next | undefined> {
    let next = after;
    while (typeof next === 'number') {
      if (!(await this.#wait(work, next))) return undefined;
      if (work.hasFailed) return 0;
      next = await this.#step(work);
    }
    return next;
  }

  /** Behind those that wait already. */
  async #comeBack(queue: Queue, work: Work, waitMs: number): Promise<void> {
    if (await this.#wait(work, waitMs)) queue.waiting.add(holderOf(work), work);
    else await this.#leave(queue, work, undefined);
    this.#fill(queue);
  }

  async #leave(queue: Queue, work: Work, end: Next | undefined): Promise<void> {
    const { job, lease } = work;
    await lease.giveBack();
    // The next one may not begin before this one is over: all of them are found again, in order.
    const dropped = end === undefined && queue.lease !== undefined ? queue.waiting.takeAll() : [];
    for (const one of [job, ...dropped.map((other) => other.job)]) queue.known.delete(one.name);
    // What was stored for it meanwhile was found while it was known, and so was not begun.
    if (end === 'over' && work.isFoundAgain) this.look(queue.kind.name);
  }

  /** Answers whether the job is still this router's; after a step that failed the next one asks. */
  async #wait({ lease, hasFailed }: Work, waitMs: number): Promise<boolean> {
    if (waitMs === 0) return true;
    const isHeld = hasFailed || (await this.#insist(lease.name, () => lease.hold(waitMs)));
    if (isHeld !== true) return false;
    await this.#ports.clock.sleep(waitMs, this.#abort.signal);
    return true;
  }

  /** Undefined when another router has the job, and when this one stops. One that failed is tried again, as its next step. */
  async #step(work: Work): Promise<Next | undefined> {
    const { job, lease } = work;
    const { signal } = this.#abort;
    if (signal.aborted) return undefined;
    try {
      // Asked before each try: the storage may have failed for longer than the lease, or the process stood still.
      if (!(await lease.hold())) return undefined;
      work.isFoundAgain = false;
      const next = await job.step();
      if (work.hasFailed) this.#ports.log.info({ job: lease.name }, 'job resumed');
      work.hasFailed = false;
      return next;
    } catch (error) {
      if (!work.hasFailed && !signal.aborted) this.#tellFailure(lease.name, error);
      work.hasFailed = true;
      return PAUSE_MS;
    }
  }

  /** Asks until it is answered; undefined when the runner stops first. */
  async #insist<Answer>(job: string, ask: () => Promise<Answer>): Promise<Answer | undefined> {
    const { clock, log } = this.#ports;
    const { signal } = this.#abort;
    let hasFailed = false;
    while (!signal.aborted) {
      try {
        const answer = await ask();
        if (hasFailed) log.info({ job }, 'job resumed');
        return answer;
      } catch (error) {
        if (!hasFailed && !signal.aborted) this.#tellFailure(job, error);
        hasFailed = true;
        await clock.sleep(PAUSE_MS, signal);
      }
    }
    return undefined;
  }

  #tellFailure(job: string, error: unknown): void {
    this.#ports.log.error({ job, reason: traceOf(error) }, 'job failed, retrying');
  }

  #track(work: Promise<void>): void {
    const tracked = work.finally(() => this.#underWay.delete(tracked));
    this.#underWay.add(tracked);
  }
}

function holderOf({ job }: Work): string {
  return job.workspace ?? '';
}
