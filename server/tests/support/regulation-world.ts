import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { makeRegulation } from '../../resources/regulations.ts';
import type { ConfigStore } from '../../storage/config-store.ts';
import type { DroppedEvents } from '../../losses/dropped-events.ts';
import { type Losses, ownLosses } from '../../losses/loss-reader.ts';
import { createTraffic } from '../../losses/traffic.ts';
import { createUndecided } from '../../losses/undecided.ts';
import { createUnknownKeys } from '../../losses/unknown-keys.ts';
import { createViolations } from '../../losses/violations.ts';
import { createAcceptedEvents } from '../../losses/accepted-events.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Log } from '../../ports/log.ts';
import type { Regulation } from '../../model/resources.ts';
import type { Event } from '../../model/message.ts';
import { regulations } from '../../jobs/regulations.ts';
import { JobRunner } from '../../jobs/runner.ts';
import type { Directory } from '../../directory/directory.ts';
import type { Pipeline, PipelinePorts } from '../../events/pipeline.ts';
import { openConfigStore } from '../../storage/file/resources/config-store.ts';
import type { SqliteStorage } from '../../storage/file/deliveries/sqlite-storage.ts';
import type { ProfileStorage } from '../../storage/profile-storage.ts';
import { openMemoryProfiles } from './memory-profiles.ts';
import { wholeLog } from './whole-log.ts';
import type { ErasureRequest } from '../../storage/job-storage.ts';
import { Versions } from '../../storage/versions.ts';
import { FaultyDisk } from './config-disk.ts';
import { destination, source, workspace } from './config-resources.ts';
import { eventOf } from './engine.ts';
import { RecordingDispatcher } from './ingestion-dispatcher.ts';
import { RecordingLog } from './ingestion-log.ts';
import { startPipeline } from './pipeline.ts';
import { openSqliteHere } from './sqlite-here.ts';
import { VirtualClock } from '../../../testbed/simulation/virtual-clock.ts';

export const MAIN = 'workspaces/main';

/** Who is suppressed in a scope, in the order of their list. */
export function suppressedBy(directory: Directory, scope: string): string[] {
  const { users = [] } = directory.suppressed(scope)?.page({ after: 0, limit: 1_000 }) ?? {};
  return users.map(({ user_id }) => user_id);
}

const NOW = Date.parse('2026-11-20T12:00:00.000Z');

/** What outlives a process. */
export interface Place {
  readonly disk: FaultyDisk;
  readonly folder: string;
}

type Regulate = (type: Regulation['regulation_type'], ids: readonly string[], run?: boolean) => Promise<string>;

/** Regulations on the real stores; deliveries are taken down, and not sent. */
export interface RegulationWorld {
  readonly config: ConfigStore;
  readonly deliveries: SqliteStorage;
  readonly dispatcher: RecordingDispatcher;
  readonly directory: Directory;
  readonly clock: VirtualClock;
  readonly runner: JobRunner;
  readonly log: RecordingLog;
  readonly dropped: DroppedEvents;
  /** What the storage was asked to erase. */
  readonly erasures: readonly ErasureRequest[];
  /** Stores a regulation as the API does, and has the runner look unless told otherwise. */
  readonly regulate: Regulate;
  /** The same for one source. */
  readonly regulateIn: (source: string, ...regulation: Parameters<Regulate>) => Promise<string>;
  /** Takes events in as ingestion does; answers how many were accepted. */
  readonly ingest: (sourceName: string, ...events: Partial<Event>[]) => Promise<number>;
  /** The user ids of what a destination's log holds, oldest first. */
  readonly logged: (sourceName: string) => Promise<string[]>;
  /** The events that deliveries were handed on for, as `source type user`. */
  readonly sent: () => string[];
  readonly end: () => Promise<void>;
}

function keptLosses(dropped: DroppedEvents, clock: Clock, log: Log): Losses {
  const unknownKeys = createUnknownKeys({ clock, log });
  const others = { violations: createViolations(), undecided: createUndecided(), accepted: createAcceptedEvents() };
  return { dropped, unknownKeys, traffic: createTraffic(clock), ...others };
}

export function newPlace(): Place {
  const folder = mkdtempSync(join(tmpdir(), 'waybill-regulations-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return { disk: new FaultyDisk(), folder };
}

type Announcing = Pick<Pipeline, 'announce'>;
type Accepting = PipelinePorts['deliveries'];

export interface WorldOptions {
  /** What stands between the runner and the pipeline. */
  readonly interpose?: (pipeline: Announcing) => Announcing;
  /** What stands between the pipeline and the store. */
  readonly interposeStore?: (store: Accepting) => Accepting;
}

export async function openWorld(place: Place, options: WorldOptions = {}): Promise<RegulationWorld> {
  const { interpose = (pipeline) => pipeline, interposeStore = (store) => store } = options;
  const [log, dispatcher] = [new RecordingLog(), new RecordingDispatcher()];
  const versions = new Versions();
  const config = await openConfigStore({ folder: '/config', disk: place.disk, log, versions });
  const deliveries = await openSqliteHere(join(place.folder, 'deliveries.sqlite'), versions.of);
  await deliveries.join({ now: NOW });
  const clock = new VirtualClock(NOW);
  const kept = await openMemoryProfiles(deliveries);
  // By the clock of this world nothing takes time: no deletion rests for what it cost, however busy the machine is.
  const erase: ProfileStorage['erase'] = async (request) => ({ ...(await kept.erase(request)), tookMs: 0 });
  const profiles = { ...kept, erase };
  const stores = { config, deliveries: interposeStore(deliveries) };
  const { pipeline, directory, dropped } = await startPipeline({ ...stores, dispatcher, clock, log });
  const losses = ownLosses(keptLosses(dropped, clock, log), clock);
  const erasures: ErasureRequest[] = [];
  const storage = {
    ...deliveries,
    eraseUsers: (request: ErasureRequest) => (erasures.push(request), deliveries.eraseUsers(request)),
  };
  const ports = { config, directory, storage, profiles, losses, undecided: createUndecided(), clock, log };
  const runner = new JobRunner(ports, [await regulations({ ...ports, pipeline: interpose(pipeline) })]);
  let arrivals = 0;
  let ended = false;
  const end = async (): Promise<void> => {
    if (ended) return;
    ended = true;
    await runner.stop();
    await Promise.all([config.close(), deliveries.close()]);
  };
  onTestFinished(end);
  const regulateIn: RegulationWorld['regulateIn'] = async (scope, regulation_type, values, run = true) => {
    const attributes = { name: 'userId' as const, values: [...values] };
    const regulation = makeRegulation({ regulation_type, attributes }, scope, NOW);
    await config.create('regulations', regulation);
    if (run) runner.look('regulations');
    return regulation.name;
  };
  return {
    config,
    deliveries,
    dispatcher,
    directory,
    clock,
    runner,
    log,
    dropped,
    erasures,
    end,
    regulate: (...regulation) => regulateIn(MAIN, ...regulation),
    regulateIn,
    ingest: async (name, ...events) => {
      const arrived = events.map((event) =>
        eventOf(NOW, { messageId: `m${place.folder}${(arrivals += 1)}`, ...event }),
      );
      return (await pipeline.accept({ source: name, events: arrived })).accepted;
    },
    logged: async (name) => {
      const logged = await wholeLog(deliveries, { destination: `${name}/destinations/webhooks`, filter: {} });
      return logged.map(({ userId }) => userId).toReversed();
    },
    sent: () =>
      dispatcher.claims.map(({ message: { source: from, event } }) => `${from} ${event.type} ${event.userId}`),
  };
}

/** The workspace `main` with two sources that have webhooks, one whose webhooks are off, and one without. */
export async function withSources({ config }: RegulationWorld): Promise<void> {
  await config.create('workspaces', workspace('main'));
  for (const slug of ['a', 'b', 'off', 'none']) await config.create('sources', source('main', slug));
  for (const slug of ['a', 'b', 'off']) {
    const made = destination(`${MAIN}/sources/${slug}`);
    await config.create('destinations', { ...made, enabled: slug !== 'off' });
  }
}
