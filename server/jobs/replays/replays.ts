import { type Clock, momentOf } from '../../ports/clock.ts';
import type { DeliveryId } from '../../model/delivery.ts';
import type { Log } from '../../ports/log.ts';
import type { NewReplay, Replay } from '../../model/replay.ts';
import type { JobStorage, ReplayAnswer, ReplayProgress } from '../../storage/job-storage.ts';

/** A job waits while so many deliveries wait for its destination: what it sends again must not expire in the queue. */
const WAITING_LIMIT = 1_000;
/** How long to wait before looking again, when so many wait or the store could not answer. */
const PAUSE_MS = 1_000;
/** The pace is kept in steps of about this long. */
const STEP_MS = 250;

export interface ReplaysPorts {
  readonly store: JobStorage;
  readonly clock: Clock;
  readonly log: Log;
  /** Told that deliveries of a destination are due on disk. */
  readonly wake: (destination: string) => void;
}

/** Sends ended deliveries again: one at once, or many at the pace of a stored job. Life: `start` once, `stop` once. */
export class Replays {
  readonly #ports: ReplaysPorts;
  readonly #abort = new AbortController();
  /** One entry for each job that is being carried out. */
  readonly #underWay = new Set<Promise<void>>();

  constructor(ports: ReplaysPorts) {
    this.#ports = ports;
  }

  /** Goes on with what an earlier process had begun. */
  async start(): Promise<void> {
    for (const replay of await this.#ports.store.runningReplays()) this.#begin(replay);
  }

  /** Resolves when no step is under way; the jobs go on after the next start. */
  async stop(): Promise<void> {
    this.#abort.abort();
    await Promise.all(this.#underWay);
  }

  async one(destination: string, delivery: DeliveryId): Promise<ReplayAnswer> {
    const { store, clock, wake } = this.#ports;
    const answer = await store.replay({ destination, delivery, at: momentOf(clock) });
    if (answer === 'replayed') wake(destination);
    return answer;
  }

  async create(wanted: Omit<NewReplay, 'createdAt'>): Promise<Replay> {
    const replay = await this.#ports.store.createReplay({ ...wanted, createdAt: this.#ports.clock.now() });
    this.#begin(replay);
    return replay;
  }

  cancel(destination: string, id: number): Promise<Replay | undefined> {
    return this.#ports.store.cancelReplay({ destination, id, now: this.#ports.clock.now() });
  }

  #begin(replay: Replay): void {
    const work = this.#carryOut(replay).finally(() => this.#underWay.delete(work));
    this.#underWay.add(work);
  }

  async #carryOut({ id, destination, perSecond }: Replay): Promise<void> {
    const { clock, log, wake } = this.#ports;
    const { signal } = this.#abort;
    while (!signal.aborted) {
      const progress = await this.#step(id, perSecond);
      if (progress === undefined) return;
      const { replay, replayed } = progress;
      if (replayed > 0) wake(destination);
      if (replay.state === 'finished') {
        const { examined, matched, dryRun } = replay;
        return log.info({ destination, replay: id, examined, matched, dryRun }, 'bulk replay finished');
      }
      const pause = progress.held ? PAUSE_MS : (replayed / perSecond) * 1_000;
      if (pause > 0) await clock.sleep(pause, signal);
    }
  }

  /** Undefined when the job was cancelled. A store that cannot write is asked again until it can. */
  async #step(id: number, perSecond: number): Promise<ReplayProgress | undefined> {
    const { store, clock, log } = this.#ports;
    const limit = Math.max(1, Math.round((perSecond * STEP_MS) / 1_000));
    for (;;) {
      try {
        return await store.stepReplay({ replay: id, at: momentOf(clock), limit, waitingLimit: WAITING_LIMIT });
      } catch (error) {
        if (this.#abort.signal.aborted) return undefined;
        log.error({ replay: id, reason: String(error) }, 'bulk replay cannot go on, trying again');
        await clock.sleep(PAUSE_MS, this.#abort.signal);
      }
    }
  }
}
