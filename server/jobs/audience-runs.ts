import { allComputations, computationOf, type RefreshedDirectory } from '../audiences/all-computations.ts';
import type { Computation } from '../audiences/computations.ts';
import { workspaceOf } from '../model/resource-names.ts';
import type { Sync, SyncState } from '../model/sync.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import type { ProfileStorage } from '../storage/profile-storage.ts';
import type { TellingStorage } from '../storage/telling-storage.ts';
import { isDue, isLeftToHeldBack, isOutdated, isOvertaken, lastOfEach, type DuePorts } from './due-runs.ts';
import { FailureStreak } from './failure-streak.ts';
import { FoldingUntilNow, type FoldNowPorts } from './fold-caught.ts';
import { type Job, type JobKind, type Next } from './runner.ts';
import { computeSync, type ComputingPorts } from './sync-computing.ts';
import { SyncTelling, type TellingPorts } from './sync-telling.ts';
import { messageOf, traceOf } from '../thrown.ts';

const KIND = 'audiences';

export interface RunPorts extends FoldNowPorts, ComputingPorts, TellingPorts, DuePorts {
  readonly directory: RefreshedDirectory & TellingPorts['directory'];
  readonly profiles: Pick<ProfileStorage, 'fold' | 'lastCaught' | 'compute' | 'results' | 'standing'>;
  readonly tellings: TellingStorage;
  readonly clock: Clock;
  readonly log: Log;
}

export interface SyncEnd {
  readonly state: Exclude<SyncState, 'RUNNING'>;
  /** Of one that failed. */
  readonly reason?: string;
}

/** What a step of a sync leads to: the next one, or its end; 'over' where it has ended already. */
export type SyncNext = Next | SyncEnd;

/** Runs of audiences and computed traits: each computes who is in it, and tells its destinations what has changed (AUD-3, AUD-4). */
export function audienceRuns(ports: RunPorts): JobKind {
  return {
    name: KIND,
    atOnce: 3,
    ofOne: 2,
    async find() {
      const syncs = await ports.tellings.openSyncs();
      const running = syncs.filter(({ state }) => state === 'RUNNING').map(({ computation }) => computation);
      const last = lastOfEach(syncs);
      const due = allComputations(ports.directory).filter((one) => isDue(one, last.get(one.name), ports));
      const names = new Set([...running, ...due.map(({ name }) => name)]);
      return [...names].map((name) => new Run(ports, name));
    },
  };
}

/** What this router knows of one sync: another may have ended it, and begun the next, while this one stood still. */
interface Known {
  readonly sync: number;
  /** What was caught until it began. */
  readonly folding: FoldingUntilNow;
  readonly telling: SyncTelling;
  readonly failures: FailureStreak;
}

/** One run: its sync from its start to its end. All that must survive is in the sync. */
class Run implements Job {
  readonly name: string;
  readonly workspace: string;
  readonly #ports: RunPorts;
  #known: Known | undefined;
  /** The last sync that went on, and the edit by which: one that is not its basis is looked up once, not before each page. */
  #lookedAt: string | undefined;

  constructor(ports: RunPorts, name: string) {
    this.#ports = ports;
    this.name = name;
    this.workspace = workspaceOf(name);
  }

  async step(): Promise<Next> {
    const { tellings, clock } = this.#ports;
    const [last] = await tellings.listSyncs({ computations: [this.name], limit: 1 });
    const computation = await this.#computationNow(last);
    if (computation?.enabled !== true)
      return last?.state === 'RUNNING' ? this.#end(last, { state: 'CANCELLED' }) : 'over';
    if (last?.state === 'RUNNING') return this.#goOn(computation, last);
    if (!isDue(computation, last, this.#ports)) return 'over';
    await tellings.startSync({ computation: this.name, now: clock.now() });
    return 0;
  }

  /** What another router has just made, or changed, is not to wait for the next run; nor is it this one's that is behind. */
  async #computationNow(last: Sync | undefined): Promise<Computation | undefined> {
    const { directory } = this.#ports;
    const updateTime = (): string | undefined => computationOf(directory, this.name)?.updateTime;
    const look = (): string => `${last?.number} ${updateTime()}`;
    const isToGoOn = last?.state === 'RUNNING' && last.computed !== undefined;
    const isOfBasis = last?.basis?.updateTime === updateTime();
    const isSame = isOfBasis || this.#lookedAt === look();
    if (!isToGoOn || !isSame) await directory.refresh();
    if (isToGoOn) this.#lookedAt = look();
    return computationOf(directory, this.name);
  }

  async #goOn(computation: Computation, sync: Sync): Promise<Next> {
    const { failures } = this.#knownOf(sync);
    try {
      const next = await this.#nextOf(computation, sync);
      const after = typeof next === 'object' ? await this.#end(sync, next) : next;
      if (failures.end()) this.#ports.log.info({ job: this.#job }, 'job resumed');
      return after;
    } catch (error) {
      return this.#fail(sync, error);
    }
  }

  /** It waits, and others have their turn: what cannot be computed does not keep them from being computed. */
  async #fail(sync: Sync, error: unknown): Promise<Next> {
    const { clock, log } = this.#ports;
    const { isFirst, waitMs } = this.#knownOf(sync).failures.fail(clock.steady());
    if (isFirst) log.error({ job: this.#job, reason: traceOf(error) }, 'job failed, retrying');
    const reason = messageOf(error);
    return waitMs ?? this.#end(sync, { state: 'FAILED', reason });
  }

  /** As the log names it, and its lease. */
  get #job(): string {
    return `${KIND}/${this.name}`;
  }

  /** Where it was edited meanwhile, or is due again, it begins anew: nobody hears what held before, and what waits is replaced. */
  async #nextOf(computation: Computation, sync: Sync): Promise<SyncNext> {
    const { folding, telling } = this.#knownOf(sync);
    if (sync.computed === undefined) {
      // What it has found by the definition before may be kept, although nobody could note it: it would be told as of this one.
      if (isOutdated(computation, sync, this.#ports)) return { state: 'CANCELLED' };
      const next = await computeSync(computation, sync, folding, this.#ports);
      if (next !== 'computed') return next;
      telling.begin();
      return 0;
    }
    if (isOvertaken(computation, sync, telling.cameOnAt, this.#ports))
      return { state: isLeftToHeldBack(sync) ? 'DONE' : 'CANCELLED' };
    return telling.step(computation, sync);
  }

  #knownOf({ number: sync, startedAt }: Sync): Known {
    if (this.#known?.sync !== sync) {
      const folding = new FoldingUntilNow(this.#ports, workspaceOf(this.name));
      const telling = new SyncTelling(this.#ports, startedAt);
      this.#known = { sync, folding, telling, failures: new FailureStreak() };
    }
    return this.#known;
  }

  async #end({ number }: Sync, { state, reason }: SyncEnd): Promise<Next> {
    const { tellings, clock, log } = this.#ports;
    const ended = await tellings.endSync({ computation: this.name, number, state, reason, now: clock.now() });
    const { computed, sent, held, cursor: { leftOut } = {} } = ended ?? {};
    const fields = { computation: this.name, sync: number, state, ...computed, sent, held, leftOut };
    if (state === 'FAILED') log.error({ ...fields, reason }, 'audience run failed');
    else log.info(fields, 'audience run ended');
    // Where it was changed meanwhile, the next run begins.
    return 0;
  }
}
