import { audienceRuns } from '../../jobs/audience-runs.ts';
import { audienceUpkeep } from '../../jobs/audience-upkeep.ts';
import { regulations } from '../../jobs/regulations.ts';
import { replays } from '../../jobs/replays.ts';
import { retention } from '../../jobs/retention.ts';
import { JobRunner } from '../../jobs/runner.ts';
import { createCatcher } from '../../audiences/catch.ts';
import { beginningsOf } from '../../audiences/computations.ts';
import { Dispatcher } from '../../delivery/dispatcher.ts';
import { StallWatch } from '../../delivery/stall-watch.ts';
import type { Targets } from '../../delivery/target.ts';
import type { Directory } from '../../directory/directory.ts';
import type { Definition, TraitDefinition } from '../../model/definition.ts';
import type { DeliveryId } from '../../model/delivery.ts';
import type { Event } from '../../model/message.ts';
import { createUndecided } from '../../losses/undecided.ts';
import { DEFAULT_POLICY } from '../../model/policy.ts';
import type { Regulation, Resources } from '../../model/resources.ts';
import { makeRegulation } from '../../resources/regulations.ts';
import type { Sync } from '../../model/sync.ts';
import { allRows } from '../../storage/config-store.ts';
import { Memory, type MemoryStorage } from '../../storage/memory/memory.ts';
import { momentOf } from '../../ports/clock.ts';
import type { PostRequest } from '../../ports/transport.ts';
import { openMemoryProfiles } from './memory-profiles.ts';
import type { ProfileStorage } from '../../storage/profile-storage.ts';
import {
  answers,
  type Endpoint,
  type SimulatedAnswer,
  SimulatedTransport,
} from '../../../testbed/simulation/simulated-transport.ts';
import { VirtualClock } from '../../../testbed/simulation/virtual-clock.ts';
import { destination, source, workspace } from './config-resources.ts';
import { eventOf } from './engine.ts';
import { newLosses } from './evaluation.ts';
import { RecordingLog } from './ingestion-log.ts';
import { startPipeline } from './pipeline.ts';
import { replayMade } from './replay-made.ts';

export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;
const MAIN = 'workspaces/main';
export const SOURCE = `${MAIN}/sources/js`;

/** A call about a user that a receiver has taken. */
export interface Heard {
  readonly user: string;
  readonly key: string;
  readonly value: unknown;
  readonly messageId: string;
  /** When it was told, by the wall. */
  readonly at: number;
}

export interface WorldOptions {
  readonly endpoint?: Endpoint;
  /** What stands between the jobs and the storages. */
  readonly spoil?: (stores: Stores) => Stores;
}

export interface Stores {
  readonly tellings: MemoryStorage;
  readonly profiles: ProfileStorage;
}

/**
 * A router of production's parts in virtual time, with a source, its webhooks and a receiver: events pass the pipeline, audiences are
 * computed and told by the jobs. Time, network and disk are simulated.
 */
export class AudienceWorld {
  readonly clock: VirtualClock;
  readonly store: MemoryStorage;
  readonly profiles: ProfileStorage;
  readonly log = new RecordingLog();
  /** What no outcome was found of, over all processes. */
  readonly undecided = createUndecided();
  readonly transport: SimulatedTransport;
  readonly #stores: Stores;
  /** What receivers took as it came, and answer with success: whether or not the router waits for it. */
  readonly #taken: PostRequest[] = [];
  #directory: Directory | undefined;
  #pipeline: Awaited<ReturnType<typeof startPipeline>>['pipeline'] | undefined;
  #runner: JobRunner | undefined;
  #dispatcher: Dispatcher | undefined;
  #ids = 0;

  constructor(
    clock: VirtualClock,
    stores: Stores,
    { endpoint = () => answers(200), spoil = (own) => own }: WorldOptions,
  ) {
    this.clock = clock;
    this.store = stores.tellings;
    this.profiles = stores.profiles;
    this.#stores = spoil(stores);
    this.transport = new SimulatedTransport(this.clock, (post) => {
      const answer = endpoint(post);
      if (isTaken(answer)) this.#taken.push(post.request);
      return answer;
    });
  }

  async start(): Promise<void> {
    const { clock, log, store, transport } = this;
    const { resources: config } = store;
    await config.create('workspaces', workspace('main'));
    await config.create('sources', source('main', 'js'));
    await this.addDestination('webhooks', 'https://one.test/');
    const targets: Targets = (name, sending) => this.directory.target(name, sending);
    const engine = { policy: DEFAULT_POLICY, clock, random: () => 1, transport, targets, log, store, members: store };
    this.#dispatcher = new Dispatcher({ ...engine, stalls: new StallWatch(clock) });
    await this.#dispatcher.start(await store.join({ now: clock.steady() }));
    const erasures = (name: string): number | undefined => this.directory.erasures(name);
    const catcher = createCatcher({ computations: (name) => this.directory.computations(name), erasures });
    const ports = { config, deliveries: store, dispatcher: this.#dispatcher, clock, log, catcher };
    const { directory, pipeline } = await startPipeline(ports);
    this.#directory = directory;
    this.#pipeline = pipeline;
    await this.#startJobs();
  }

  async #startJobs(): Promise<void> {
    const { clock, log, store, directory } = this;
    const { tellings, profiles } = this.#stores;
    const wake = (name: string): void => this.#dispatcher?.wake(name);
    const { undecided } = this;
    const losses = newLosses(clock, log, { undecided });
    const parts = { config: store.resources, directory, profiles, tellings, storage: store, undecided, losses };
    const ports = { ...parts, clock, log, wake };
    const kinds = [
      audienceRuns({ ...ports, intervalMs: 2 * HOUR }),
      audienceUpkeep(ports),
      await regulations({ ...ports, pipeline: this.pipeline, losses: { eraseItems: () => Promise.resolve() } }),
      retention({ ...ports, retentionMs: 30 * DAY }),
      replays(ports),
    ];
    this.#runner = new JobRunner(ports, kinds);
    this.#runner.start();
    await clock.advance(0);
  }

  /** The jobs of the process end between two steps, and those of another begin. */
  async restartJobs(downMs = 0): Promise<void> {
    await this.#runner?.stop();
    await this.clock.advance(downMs);
    await this.#startJobs();
  }

  async stop(): Promise<void> {
    await this.#runner?.stop();
    const stopped = this.#dispatcher?.stop(0);
    await this.clock.advance(10_000);
    await stopped;
  }

  get directory(): Directory {
    if (this.#directory === undefined) throw new Error('the world has not been started');
    return this.#directory;
  }

  get pipeline() {
    if (this.#pipeline === undefined) throw new Error('the world has not been started');
    return this.#pipeline;
  }

  async addDestination(slug: string, hook: string, parent = SOURCE): Promise<string> {
    const create_time = new Date(this.clock.now()).toISOString();
    const made = { ...destination(parent, slug), enabled: true, create_time };
    const entry = { display_name: '', type: 'mixed', name: `${made.name}/config/hooks`, value: [{ hook }] } as const;
    await this.store.resources.create('destinations', { ...made, config: [entry] });
    return made.name;
  }

  async setEnabled(name: string, enabled: boolean): Promise<void> {
    await this.store.resources.update('destinations', name, (one) => ({ ...one, enabled }));
  }

  /** Stores an audience as the API does; answers its name. */
  async audience(
    key: string,
    definition: Definition,
    destinations = [`${SOURCE}/destinations/webhooks`],
  ): Promise<string> {
    const row = await this.#computed(`${MAIN}/audiences/aud_${key}`, key, definition, destinations);
    await this.store.resources.create('audiences', { ...row, definition });
    return row.name;
  }

  async trait(
    key: string,
    definition: TraitDefinition,
    destinations = [`${SOURCE}/destinations/webhooks`],
  ): Promise<string> {
    const row = await this.#computed(`${MAIN}/computed-traits/tra_${key}`, key, definition, destinations);
    await this.store.resources.create('computed-traits', { ...row, definition });
    return row.name;
  }

  async edit(
    name: string,
    change: Partial<Pick<Resources['audiences'], 'display_name' | 'definition' | 'destinations' | 'enabled'>>,
  ): Promise<void> {
    const now = new Date(this.clock.now()).toISOString();
    const standing = await this.#standing();
    await this.store.resources.update('audiences', name, (one) => {
      const begins = beginningsOf(change.definition ?? one.definition, standing, now);
      return { ...one, ...change, ...begins, update_time: now };
    });
  }

  async #computed(name: string, key: string, definition: Definition | TraitDefinition, destinations: string[]) {
    const now = new Date(this.clock.now()).toISOString();
    const times = { create_time: now, update_time: now };
    const begins = beginningsOf(definition, await this.#standing(), now);
    return { name, key, display_name: key, enabled: true, destinations, ...begins, ...times };
  }

  async #standing() {
    const { resources } = this.store;
    const rows = [await allRows(resources, 'audiences', MAIN), await allRows(resources, 'computed-traits', MAIN)];
    return rows.flat().map(({ resource }) => resource);
  }

  /** Accepts an event as ingestion does. */
  async send(given: Partial<Event> = {}): Promise<void> {
    const { type = 'track' } = given;
    const fields = type === 'track' ? { event: 'Bought', ...given } : { event: '', ...given };
    const event = eventOf(this.clock.now(), { messageId: `m${(this.#ids += 1)}`, ...fields });
    await this.pipeline.accept({ source: SOURCE, events: [event] });
  }

  /** Sends again what has ended, as the API does: one delivery, or all of a destination. */
  async replay(name: string, delivery?: DeliveryId): Promise<void> {
    const [at, store] = [momentOf(this.clock), this.store];
    const all = { destination: name, filter: {}, dryRun: false, perSecond: 100, createdAt: at.wall };
    if (delivery === undefined) await replayMade(store, all);
    else if ((await store.replay({ destination: name, delivery, at })) === 'replayed') this.#dispatcher?.wake(name);
    this.#runner?.look('replays');
  }

  async regulate(type: Regulation['regulation_type'], ...values: readonly string[]): Promise<void> {
    const attributes = { name: 'userId' as const, values: [...values] };
    const regulation = makeRegulation({ regulation_type: type, attributes }, MAIN, this.clock.now());
    await this.store.resources.create('regulations', regulation);
    this.#runner?.look('regulations');
  }

  advance(ms: number): Promise<void> {
    return this.clock.advance(ms);
  }

  /** What a receiver has taken of audiences and traits, in order; a repetition is dropped, as receivers do. */
  heard(url = 'https://one.test/'): Heard[] {
    const calls = new Map<string, Heard>();
    for (const { body } of this.#taken.filter((request) => request.url === url)) {
      const call = heardIn(body);
      if (call !== undefined && !calls.has(call.messageId)) calls.set(call.messageId, call);
    }
    return [...calls.values()];
  }

  /** `u1 big true`, in order. */
  told(url?: string): string[] {
    return this.heard(url).map(({ user, key, value }) => `${user} ${key} ${JSON.stringify(value)}`);
  }

  syncs(computation: string): Promise<readonly Sync[]> {
    return this.store.listSyncs({ computations: [computation], limit: 100 });
  }
}

interface Body {
  readonly messageId: string;
  readonly timestamp: string;
  readonly userId: string;
  readonly traits: Readonly<Record<string, unknown>>;
  readonly context?: { readonly personas?: { readonly computation_key: string } };
}

function isTaken({ result }: SimulatedAnswer): boolean {
  return result.kind === 'answered' && result.status >= 200 && result.status < 300;
}

function heardIn(bytes: Uint8Array | string): Heard | undefined {
  const body: Body = JSON.parse(Buffer.from(bytes).toString('utf8'));
  const key = body.context?.personas?.computation_key;
  if (key === undefined) return undefined;
  const { userId: user, traits, messageId, timestamp } = body;
  return { user, key, value: traits[key], messageId, at: Date.parse(timestamp) };
}

export async function startAudienceWorld(options: WorldOptions = {}): Promise<AudienceWorld> {
  const clock = new VirtualClock();
  const store = new Memory({ clock }).open();
  const profiles = await openMemoryProfiles(store);
  const world = new AudienceWorld(clock, { tellings: store, profiles }, options);
  await world.start();
  return world;
}
