import type { Subject } from '../audiences/identify-call.ts';
import { allComputations, computationOf, type RefreshedDirectory } from '../audiences/all-computations.ts';
import type { Computation } from '../audiences/computations.ts';
import { differences } from '../audiences/differences.ts';
import { hourOf } from '../audiences/hours.ts';
import type { Directory } from '../directory/directory.ts';
import type { LossReader } from '../losses/loss-reader.ts';
import { workspaceOf } from '../model/resources.ts';
import type { Sync } from '../model/sync.ts';
import { type Clock, momentOf } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import type { ProfileStorage, Standing } from '../storage/profile-storage.ts';
import type { TellingStorage, TellRequest, Told, ToldPage } from '../storage/telling-storage.ts';
import type { ConfigStore } from '../storage/config-store.ts';
import { isDue, isLeftToHeldBack, isOvertaken, lastOfEach, type RunTimes } from './due-runs.ts';
import { FailureStreak } from './failure-streak.ts';
import { FoldingUntilNow, type FoldNowPorts } from './fold-caught.ts';
import { heardBefore } from './heard-before.ts';
import { type Job, type JobKind, type Next, reasonOf } from './runner.ts';
import { settleEnded } from './settle-ended.ts';
import { TellingRoom } from './telling-room.ts';
import { tellingsOf } from './tellings-of.ts';
import { cursorAfter } from './sync-cursor.ts';
import { type Range, ToldPlaces } from './told-places.ts';
import { undecidedSince } from './undecided-since.ts';

/** Behind each lot that is folded: others have their turn, however long it takes until all is. */
const OTHERS_TURN_MS = 1;
/** Users that one step compares: a few milliseconds, so that deliveries have their turn between. */
const PAGE = 200;

const KIND = 'audiences';

export interface RunPorts extends FoldNowPorts, RunTimes {
  readonly losses: Pick<LossReader, 'undecided'>;
  readonly config: Pick<ConfigStore, 'get'>;
  readonly directory: RefreshedDirectory & Pick<Directory, 'suppressed' | 'target'>;
  readonly profiles: Pick<ProfileStorage, 'fold' | 'lastCaught' | 'compute' | 'results' | 'standing'>;
  readonly tellings: TellingStorage;
  readonly clock: Clock;
  readonly log: Log;
  /** Told that deliveries of a destination are due on disk. */
  readonly wake: (destination: string) => void;
}

/** Runs of audiences and computed traits: each computes who is in it, and tells its destinations what has changed (AUD-3, AUD-4). */
export function audienceRuns(ports: RunPorts): JobKind {
  return {
    name: KIND,
    atOnce: 2,
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
  readonly places: ToldPlaces;
  readonly failures: FailureStreak;
  /** When this router computed it, or told of it last; else when it began. */
  toldAt: number;
}

/** One run, from its start to the last telling. All that must survive is in the sync. */
class Run implements Job {
  readonly name: string;
  readonly #ports: RunPorts;
  readonly #room: TellingRoom;
  #known: Known | undefined;
  /** It never changes; read with the first page. */
  #workspaceId: string | undefined;

  constructor(ports: RunPorts, name: string) {
    this.#ports = ports;
    this.#room = new TellingRoom(ports.tellings);
    this.name = name;
  }

  async step(): Promise<Next> {
    const { directory, tellings, clock } = this.#ports;
    const [last] = await tellings.listSyncs({ computation: this.name, limit: 1 });
    // What another router has just made, or changed, is not to wait for the next run; nor is it this one's that is behind.
    const isToGoOn = last?.state === 'RUNNING' && last.computed !== undefined;
    const isSame = last?.basis?.updateTime === computationOf(directory, this.name)?.updateTime;
    if (!isToGoOn || !isSame) await directory.refresh();
    const computation = computationOf(directory, this.name);
    if (computation?.enabled !== true) return this.#cancel(last);
    if (last?.state === 'RUNNING') return this.#goOn(computation, last);
    if (!isDue(computation, last, this.#ports)) return 'over';
    await tellings.startSync({ computation: this.name, now: clock.now() });
    return 0;
  }

  async #goOn(computation: Computation, sync: Sync): Promise<Next> {
    const { failures } = this.#knownOf(sync);
    try {
      const next = await this.#nextOf(computation, sync);
      if (failures.end()) this.#ports.log.info({ job: this.#job }, 'job resumed');
      return next;
    } catch (error) {
      return this.#fail(sync, error);
    }
  }

  /** It waits, and others have their turn: what cannot be computed does not keep them from being computed. */
  async #fail(sync: Sync, error: unknown): Promise<Next> {
    const { clock, log } = this.#ports;
    const { isFirst, waitMs } = this.#knownOf(sync).failures.fail(clock.steady());
    if (isFirst) log.error({ job: this.#job, reason: reasonOf(error) }, 'job failed, retrying');
    return waitMs ?? this.#end(sync, 'FAILED', error instanceof Error ? error.message : String(error));
  }

  /** As the log names it, and its lease. */
  get #job(): string {
    return `${KIND}/${this.name}`;
  }

  /** Where it was edited meanwhile, or is due again, it begins anew: nobody hears what held before, and what waits is replaced. */
  async #nextOf(computation: Computation, sync: Sync): Promise<Next> {
    if (sync.computed === undefined) return this.#compute(computation, sync);
    if (isOvertaken(computation, sync, this.#knownOf(sync).toldAt, this.#ports))
      return this.#end(sync, isLeftToHeldBack(sync) ? 'DONE' : 'CANCELLED');
    return this.#tellNext(computation, sync);
  }

  #knownOf({ number: sync, startedAt: toldAt }: Sync): Known {
    if (this.#known?.sync !== sync) {
      const folding = new FoldingUntilNow(this.#ports, workspaceOf(this.name));
      this.#known = { sync, folding, places: new ToldPlaces(), failures: new FailureStreak(), toldAt };
    }
    return this.#known;
  }

  /** What was accepted before the run began is in it: what its workspace caught is folded first. */
  async #compute(computation: Computation, sync: Sync): Promise<Next> {
    const { profiles, tellings, directory, clock } = this.#ports;
    const { space } = directory.computations(workspaceOf(this.name));
    if (space === undefined) return this.#cancel(sync);
    if ((await this.#knownOf(sync).folding.step()).isMore) return OTHERS_TURN_MS;
    const { lastTime: undecided, reason } = await undecidedSince(sync, this.#ports);
    if (reason !== undefined) return this.#end(sync, 'FAILED', reason);
    // Who never heard what was told is told now, and not an interval later.
    const open = await tellings.openSyncs({ computation: this.name });
    if (await settleEnded(tellings, open)) return 0;
    const { keep, made } = await heardBefore(computation, sync, this.#ports);
    if (await tellings.forgetTold({ computation: this.name, keep, limit: PAGE, now: clock.now() })) return 0;
    const of = computation.at(hourOf(sync.startedAt));
    const counts = await profiles.compute({ space: space.id, computation: this.name, run: sync.number, of });
    const basis = { updateTime: computation.updateTime, digest: computation.digest, made, undecided };
    const destinations = computation.destinations.filter((one) => this.#hears(computation, one));
    await tellings.computedSync({ computation: this.name, number: sync.number, counts, basis, destinations });
    this.#knownOf(sync).toldAt = clock.now();
    return 0;
  }

  /** One page, of the first destination that has room: one that takes nothing does not keep the others from hearing. */
  async #tellNext(computation: Computation, sync: Sync): Promise<Next> {
    const { destinations, after } = sync.cursor;
    const [first] = destinations;
    if (first === undefined) return this.#tellHeldBack(computation, sync);
    const { places } = this.#knownOf(sync);
    for (const destination of destinations) {
      if (!this.#hears(computation, destination)) return this.#leaveOut(sync, destination);
      if (!(await this.#room.isAt(destination))) continue;
      return this.#tellRange(computation, sync, places.behind(destination, destination === first ? after : undefined));
    }
    return this.#room.waitMs();
  }

  /** It catches up with the next run after it was enabled again. */
  async #leaveOut(sync: Sync, destination: string): Promise<Next> {
    const { erasures } = await this.#ports.tellings.told({ destination, computation: this.name, limit: 1 });
    if (!this.#knownOf(sync).places.isUpToDate(erasures)) return 0;
    return this.#tell(sync, { destination, erasures });
  }

  async #tellHeldBack(computation: Computation, sync: Sync): Promise<Next> {
    const { places } = this.#knownOf(sync);
    const range = places.heldBack();
    if (range === undefined) return places.nextRoundMs() ?? this.#end(sync, 'DONE');
    const hears = this.#hears(computation, range.destination);
    if (hears && (await this.#room.isAt(range.destination))) return this.#tellRange(computation, sync, range);
    places.passOver(hears ? 'for now' : 'for good');
    return 0;
  }

  /** Compares one page of what the run found with what this destination was told, and tells what differs (D-71). */
  async #tellRange(computation: Computation, sync: Sync, range: Range): Promise<Next> {
    const { profiles, tellings, directory, clock } = this.#ports;
    const { destination, after } = range;
    const page = await tellings.told({ destination, computation: this.name, after, limit: PAGE });
    if (!this.#knownOf(sync).places.isUpToDate(page.erasures)) return 0;
    const told = { rows: page.told, isMore: page.told.length === PAGE };
    // What is behind would not be compared, and storage might have to pass everybody who has left to find it.
    const upTo = told.isMore ? told.rows.at(-1)?.user : undefined;
    const within = { after, upTo, limit: PAGE };
    const found = await profiles.results({ computation: this.name, run: sync.number, ...within });
    if (found.run === undefined) return this.#end(sync, 'FAILED', 'what the run found is no longer kept');
    const compared = differences({ rows: found.results, isMore: found.next !== undefined }, told);
    const { left, forgotten, silenced } = await this.#partGone(computation, compared.gone);
    const suppressed = directory.suppressed(workspaceOf(this.name));
    const about = await this.#about(computation);
    const to = { about, destination, target: directory.target(destination), suppressed, sync: sync.number };
    const chosen = await tellingsOf([...compared.changed, ...left], { ...to, at: momentOf(clock) });
    return this.#tell(sync, {
      destination,
      upTo: compared.upTo,
      erasures: page.erasures,
      tellings: chosen.tellings,
      forgotten,
      silenced,
      leftOut: chosen.leftOut,
      range,
    });
  }

  async #about(computation: Computation): Promise<Subject> {
    const name = workspaceOf(this.name);
    this.#workspaceId ??= (await this.#ports.config.get('workspaces', name))?.id ?? '';
    return { ...computation, workspace: { name, id: this.#workspaceId } };
  }

  /**
   * Who left, and who is not known any more, as they were erased. Who is known under another id is told nothing, not even what
   * waits; what was told of the id stays, for if it is theirs again.
   */
  async #partGone(computation: Computation, gone: readonly Told[]) {
    if (gone.length === 0) return { left: [], forgotten: [], silenced: [] };
    const { ofNone } = computation;
    const { directory, profiles } = this.#ports;
    const { id: space = '' } = directory.computations(workspaceOf(this.name)).space ?? {};
    const standings = await profiles.standing({ space, users: gone.map(({ user }) => user) });
    const those = (standing: Standing): Told[] => gone.filter((_one, index) => standings[index] === standing);
    const left = those('known').filter(({ value }) => value !== ofNone);
    return {
      left: left.map(({ user }) => ({ user, value: ofNone })),
      forgotten: those('unknown').map(({ user }) => user),
      silenced: those('merged').map(({ user }) => user),
    };
  }

  async #tell(sync: Sync, page: Page): Promise<Next> {
    const { tellings, clock, wake } = this.#ports;
    const { range, upTo, destination, erasures, tellings: wanted = [], forgotten = [], leftOut = [] } = page;
    const known = this.#knownOf(sync);
    const isFirst = range !== undefined && range.after === undefined;
    const cursor = cursorAfter(sync.cursor, { destination, isFirst, upTo, leftOut: leftOut.length });
    // What waits for those who are left out does not hold any more.
    const silenced = [...(page.silenced ?? []), ...leftOut];
    const now = clock.now();
    const request = { destination, erasures, tellings: wanted, forgotten, silenced, cursor, now };
    const answer = await tellings.tell({ computation: this.name, sync: sync.number, ...request });
    if (answer === 'over') return 'over';
    if (answer === 'stale') return 0;
    known.toldAt = now;
    // What was behind a call that is cancelled is due as well.
    if (wanted.length + forgotten.length + silenced.length > answer.heldBack.length) wake(destination);
    if (range !== undefined) known.places.compared(range, { upTo, isHeld: answer.heldBack.length > 0 });
    return 0;
  }

  async #cancel(last: Sync | undefined): Promise<Next> {
    return last?.state === 'RUNNING' ? this.#end(last, 'CANCELLED') : 'over';
  }

  async #end({ number }: Sync, state: 'DONE' | 'CANCELLED' | 'FAILED', reason?: string): Promise<Next> {
    const { tellings, clock, log } = this.#ports;
    const ended = await tellings.endSync({ computation: this.name, number, state, reason, now: clock.now() });
    const { computed, sent, held, cursor: { leftOut } = {} } = ended ?? {};
    const fields = { computation: this.name, sync: number, state, ...computed, sent, held, leftOut };
    if (state === 'FAILED') log.error({ ...fields, reason }, 'audience run failed');
    else log.info(fields, 'audience run ended');
    // Where it was changed meanwhile, the next run begins.
    return 0;
  }

  /** It may have been taken off, or disabled, since the run began. */
  #hears({ destinations }: Computation, destination: string): boolean {
    return destinations.includes(destination) && this.#ports.directory.target(destination) !== undefined;
  }
}

/** One page of tellings; without a range nothing is compared, and only the cursor moves on. */
interface Page extends Pick<ToldPage, 'erasures'>, Partial<Pick<TellRequest, 'tellings' | 'forgotten' | 'silenced'>> {
  readonly destination: string;
  readonly range?: Range;
  /** Who is told nothing, in their order. */
  readonly leftOut?: readonly string[];
  /** The last user that was compared; absent where nobody is behind. */
  readonly upTo?: string | undefined;
}
