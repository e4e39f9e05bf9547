import { createCatcher } from '../../server/audiences/catch.ts';
import { Dispatcher } from '../../server/delivery/dispatcher.ts';
import type { RoundWatcher } from '../../server/delivery/recorder.ts';
import { openCircuits, type ReadCircuits } from '../../server/delivery/open-circuits.ts';
import { StallWatch } from '../../server/delivery/stall-watch.ts';
import { createWaitingQueues, type ReadQueues } from '../../server/delivery/waiting-queues.ts';
import { type Directory, openDirectory } from '../../server/directory/directory.ts';
import { createTurns } from '../../server/fairness/turns.ts';
import type { Dispatcher as Taking } from '../../server/events/accept.ts';
import { createAcceptedEvents } from '../../server/losses/accepted-events.ts';
import { LiveEvents } from '../../server/events/live-events.ts';
import { newMessageId } from '../../server/events/normalize-calls.ts';
import { Pipeline } from '../../server/events/pipeline.ts';
import { audienceRuns } from '../../server/jobs/audience-runs.ts';
import { audienceUpkeep } from '../../server/jobs/audience-upkeep.ts';
import { type NoticePorts, notices } from '../../server/jobs/notices.ts';
import { regulations } from '../../server/jobs/regulations.ts';
import { replays } from '../../server/jobs/replays.ts';
import { JobRunner } from '../../server/jobs/runner.ts';
import { createDroppedEvents } from '../../server/losses/dropped-events.ts';
import { type Losses, ownLosses } from '../../server/losses/loss-reader.ts';
import { countedArrivals, countedEnds, createTraffic } from '../../server/losses/traffic.ts';
import { createUndecided } from '../../server/losses/undecided.ts';
import { createUnknownKeys } from '../../server/losses/unknown-keys.ts';
import { createViolations } from '../../server/losses/violations.ts';
import { DEFAULT_POLICY } from '../../server/model/policy.ts';
import { HealthWatch } from '../../server/notices/health-watch.ts';
import type { Clock } from '../../server/ports/clock.ts';
import type { Log } from '../../server/ports/log.ts';
import type { Random } from '../../server/ports/random.ts';
import type { Transport } from '../../server/ports/transport.ts';
import { Quotas } from '../../server/quotas/quotas.ts';
import type { Env } from '../../server/resources/env.ts';
import type { MemoryStorage } from '../../server/storage/memory/memory.ts';
import type { ProfileStorage } from '../../server/storage/profile-storage.ts';

/** Nobody reads it. */
const line = (): void => undefined;
export const SILENT: Log = { debug: line, info: line, warn: line, error: line };

/** As a router does it when nobody says otherwise. */
const INTERVAL_MS = 7_200_000;

export interface EngineParts {
  readonly storage: MemoryStorage;
  readonly profiles: ProfileStorage;
  readonly clock: Clock;
  readonly random: Random;
  readonly transport: Transport | undefined;
}

/** What comes to an end: syncs that are due, replays, and regulations. */
export const WORK = ['audiences', 'replays', 'regulations'] as const;
export type Work = (typeof WORK)[number];

/** What the operations of the Config API are given of it. */
type OfOperations = Pick<
  Env,
  'live' | 'losses' | 'undecided' | 'turns' | 'directory' | 'deliveries' | 'jobs' | 'quotas'
>;

interface Running {
  readonly pipeline: Pipeline;
  readonly live: Env['live'];
  readonly losses: Env['losses'];
  readonly undecided: Env['undecided'];
  readonly turns: Env['turns'];
  readonly quotas: Quotas;
  readonly directory: Directory;
  readonly wake: (destination: string) => void;
  readonly runner: JobRunner;
  readonly queues: ReadQueues;
  readonly dispatcher: Dispatcher | undefined;
  readonly health: HealthWatch;
  readonly stopping: AbortController;
}

/** What a router has besides its configuration: events, deliveries, and work in the background. */
export class Engine {
  readonly parts: OfOperations;
  readonly #storage: MemoryStorage;
  readonly #running: Running;
  #hasStarted = false;
  #watching: Promise<() => Promise<void>> | undefined;

  constructor({ storage }: EngineParts, running: Running) {
    const { live, losses, undecided, turns, quotas, directory, wake, runner, queues } = running;
    this.#storage = storage;
    this.#running = running;
    this.parts = {
      live,
      losses,
      undecided,
      turns,
      quotas,
      directory,
      deliveries: { log: storage, storage, wake, queues },
      jobs: { look: (kind) => (this.#hasStarted ? runner.look(kind) : undefined) },
    };
  }

  get pipeline(): Pipeline {
    return this.#running.pipeline;
  }

  /** Says that this member of the storage lives. */
  async beat(): Promise<void> {
    await this.#storage.beat();
  }

  async work(kinds: readonly Work[]): Promise<void> {
    const { runner } = this.#running;
    for (const kind of kinds) runner.look(kind);
    await runner.idle();
  }

  start(): void {
    const { runner, health, directory, dispatcher } = this.#running;
    this.#hasStarted = true;
    runner.start();
    this.#watching = health.start({ directory, parked: () => dispatcher?.queues.ownParked ?? [] });
  }

  async stop(): Promise<void> {
    const { stopping, runner, dispatcher } = this.#running;
    stopping.abort();
    await runner.stop();
    await (
      await this.#watching
    )?.();
    await dispatcher?.stop(0);
  }
}

export async function openEngine(given: EngineParts): Promise<Engine> {
  const { storage, clock, profiles } = given;
  const counted = lossesOf(clock);
  const [sinks, losses] = [countedArrivals(counted), ownLosses(counted, clock)];
  const shared = { turns: createTurns(), undecided: sinks.undecided, clock };
  const directory = await openDirectory(storage.resources, shared);
  const health = new HealthWatch({ config: storage.resources, clock, log: SILENT });
  const watchers = [health, countedEnds(sinks.traffic)];
  const { taking, dispatcher } = await openSender(given, directory, watchers);
  const open: ReadCircuits = async (_name, destinations) => {
    const circuits = dispatcher === undefined ? [] : openCircuits(dispatcher.queues, destinations);
    return { circuits, count: circuits.length };
  };
  const queues = createWaitingQueues({ store: storage, openCircuits: open, clock });
  const stopping = new AbortController();
  const live = new LiveEvents({ clock, stopping: stopping.signal });
  const catcher = createCatcher(directory);
  const ports = { ...shared, ...sinks, directory, log: SILENT, live, catcher, newId: newMessageId };
  const pipeline = new Pipeline({ ...ports, deliveries: storage, dispatcher: taking });
  const wake = (destination: string): void => dispatcher?.wake(destination);
  const counts: NoticePorts['counts'] = (query) => storage.counts(query);
  const stored = { storage, config: storage.resources, tellings: storage, profiles, losses, counts };
  const runner = await runnerOf({ ...ports, ...stored, pipeline, wake });
  const quotas = new Quotas({ ...ports, storage, quotaOf: directory.quota, refused: line });
  const parts = { queues, pipeline, live, losses, quotas, directory, wake, runner };
  return new Engine(given, { ...parts, ...shared, dispatcher, health, stopping });
}

function lossesOf(clock: Clock): Losses {
  return {
    accepted: createAcceptedEvents(),
    dropped: createDroppedEvents(),
    violations: createViolations(),
    undecided: createUndecided(),
    unknownKeys: createUnknownKeys({ clock, log: SILENT }),
    traffic: createTraffic(clock),
  };
}

interface Sender {
  readonly taking: Taking;
  readonly dispatcher: Dispatcher | undefined;
}

/** Nothing is taken, so that everything waits. */
const IDLE: Sender = {
  taking: { admit: () => ({ reserve: () => ({ hasPlace: false, isInOrder: false }), end: () => undefined }) },
  dispatcher: undefined,
};

async function openSender(
  { storage, clock, random, transport }: EngineParts,
  directory: Directory,
  watchers: readonly RoundWatcher[],
): Promise<Sender> {
  const router = { name: 'stand-in', version: 'stand-in' };
  const life = await storage.join({ now: clock.steady(), router });
  if (transport === undefined) return IDLE;
  const ports = { clock, random, transport, targets: directory.target, log: SILENT, policy: DEFAULT_POLICY };
  const dispatcher = new Dispatcher({
    ...ports,
    stalls: new StallWatch(clock),
    store: storage,
    members: storage,
    watchers,
  });
  await dispatcher.start(life);
  return { taking: dispatcher, dispatcher };
}

type RunnerParts = ConstructorParameters<typeof JobRunner>[0] &
  Omit<Parameters<typeof audienceRuns>[0], 'intervalMs'> &
  Parameters<typeof audienceUpkeep>[0] &
  Parameters<typeof regulations>[0] &
  Omit<Parameters<typeof notices>[0], 'counted'> &
  Parameters<typeof replays>[0];

async function runnerOf(ports: RunnerParts): Promise<JobRunner> {
  const runs = audienceRuns({ ...ports, intervalMs: INTERVAL_MS });
  const said = notices({ ...ports, counted: () => undefined });
  return new JobRunner(ports, [replays(ports), await regulations(ports), runs, audienceUpkeep(ports), said]);
}
