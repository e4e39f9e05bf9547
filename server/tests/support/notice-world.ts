import { Membership } from '../../delivery/membership.ts';
import { Dispatcher } from '../../delivery/dispatcher.ts';
import type { Directory } from '../../directory/directory.ts';
import { StallWatch } from '../../delivery/stall-watch.ts';
import { notices } from '../../jobs/notices.ts';
import { JobRunner } from '../../jobs/runner.ts';
import { DEFAULT_POLICY } from '../../model/policy.ts';
import type { Resources } from '../../model/resources.ts';
import { HealthWatch } from '../../notices/health-watch.ts';
import type { NoticeName } from '../../notices/notice.ts';
import { Memory, type MemoryStorage } from '../../storage/memory/memory.ts';
import type { Verbs } from '../../storage/verbs.ts';
import { Life } from '../../../testbed/simulation/life.ts';
import {
  answers,
  type Endpoint,
  type SimulatedPost,
  SimulatedTransport,
} from '../../../testbed/simulation/simulated-transport.ts';
import { VirtualClock } from '../../../testbed/simulation/virtual-clock.ts';
import { destination, source, workspace } from './config-resources.ts';
import { eventOf } from './engine.ts';
import { RecordingLog } from './ingestion-log.ts';
import { startPipeline } from './pipeline.ts';

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const SOURCE = 'workspaces/main/sources/shop';
export const NOTICES = 'workspaces/main/sources/notices';
export const SHOP = `${SOURCE}/destinations/webhooks`;
export const HEARS = 'https://hears.test/';

export interface HeardNotice {
  readonly event: string;
  readonly messageId: string;
  readonly properties: Readonly<Record<string, unknown>>;
  /** When it came, since the world began. */
  readonly at: number;
}

interface NoticeRouter {
  readonly directory: Directory;
  readonly pipeline: Awaited<ReturnType<typeof startPipeline>>['pipeline'];
  readonly life: Life;
  readonly membership: Membership;
  readonly stop: () => Promise<void>;
}

export interface NoticeWorldOptions {
  /** What the shop's webhook answers … */
  readonly shop: (at: number) => number;
  /** … and the one that hears notices. */
  readonly hears?: (at: number) => number;
  /** In the place of these answers. */
  readonly hearing?: Endpoint;
  /** What stands between a router and its storage. */
  readonly spoil?: (own: MemoryStorage) => MemoryStorage;
}

/** Routers of production's parts over one storage in memory, in virtual time: a shop's webhook that fails, and one that hears of it. */
export class NoticeWorld {
  readonly clock = new VirtualClock();
  readonly log = new RecordingLog();
  readonly counted: NoticeName[] = [];
  readonly store: MemoryStorage;
  readonly transport: SimulatedTransport;
  readonly routers: NoticeRouter[] = [];
  readonly #memory: Memory;
  readonly #options: NoticeWorldOptions;
  readonly #start: number;
  #sent = 0;

  constructor(options: NoticeWorldOptions) {
    this.#options = options;
    this.#memory = new Memory({ clock: this.clock });
    this.store = this.#memory.open('looks on');
    this.#start = this.clock.steady();
    this.transport = new SimulatedTransport(this.clock, (post) =>
      post.request.url === HEARS && options.hearing ? options.hearing(post) : answers(this.#statusOf(post)),
    );
  }

  #statusOf({ request, at }: SimulatedPost): number {
    const { shop, hears = () => 200 } = this.#options;
    return (request.url === HEARS ? hears : shop)(at - this.#start);
  }

  /** A workspace with a shop, and what the rest of the options say; a router. */
  async start({ hearsNotices = true } = {}): Promise<void> {
    await this.addShop('main', hearsNotices);
    await this.begin();
  }

  /** A workspace with a shop. */
  async addShop(slug: string, hearsNotices = true): Promise<void> {
    const { resources: config } = this.store;
    await config.create('workspaces', workspace(slug));
    await config.create('sources', source(slug, 'shop'));
    await this.addDestination(`workspaces/${slug}/sources/shop`, 'https://shop.test/');
    if (hearsNotices) await this.subscribe(slug);
  }

  async subscribe(slug = 'main'): Promise<void> {
    const made = { ...source(slug, 'notices'), catalog_name: 'catalog/sources/waybill-notices' };
    await this.store.resources.create('sources', { ...made, create_time: new Date(this.clock.now()).toISOString() });
    await this.addDestination(made.name, HEARS);
  }

  async addDestination(parent: string, hook: string, slug = 'webhooks'): Promise<void> {
    const made = { ...destination(parent, slug), enabled: true };
    const entry = { display_name: '', type: 'mixed', name: `${made.name}/config/hooks`, value: [{ hook }] } as const;
    await this.store.resources.create('destinations', { ...made, config: [entry] });
  }

  /** A router more; answers its number. */
  async begin(): Promise<number> {
    const { clock, log } = this;
    const life = new Life(clock);
    const { spoil = (own) => own } = this.#options;
    const own = spoil(this.#memory.open(`router-${this.routers.length}`));
    const [store, config]: [Verbs, MemoryStorage['resources']] = [life.bind(own), life.bind(own.resources)];
    const health = new HealthWatch({ config, clock: life.clock, log });
    const { clock: ownClock } = life;
    const targets = (name: string) => directory.target(name);
    const outside = { policy: DEFAULT_POLICY, clock: ownClock, random: () => 0.5, log, targets };
    const engine = {
      ...outside,
      transport: life.bind(this.transport),
      store,
      members: store,
      watchers: [health],
    };
    const createDispatcher = (tenure: ConstructorParameters<typeof Dispatcher>[1]): Dispatcher =>
      new Dispatcher({ ...engine, stalls: new StallWatch(ownClock) }, tenure);
    const membership = new Membership({ ...engine, createDispatcher });
    const ports = { config, deliveries: store, dispatcher: membership, clock: ownClock };
    const { directory, pipeline } = await startPipeline(ports);
    await membership.start();
    const stopWatching = await health.start({ directory, parked: () => membership.ownParked });
    const counted = (notice: NoticeName): void => void this.counted.push(notice);
    const counts: MemoryStorage['counts'] = (query) => store.counts(query);
    const work = { config, directory, pipeline, counts, tellings: store, clock: ownClock, log, counted };
    const runner = new JobRunner({ storage: store, clock: ownClock, log }, [notices(work)]);
    runner.start();
    const stop = async (): Promise<void> => {
      await runner.stop();
      await stopWatching();
      await membership.stop(0);
    };
    return this.routers.push({ directory, pipeline, life, membership, stop }) - 1;
  }

  /** As SIGKILL does. */
  kill(router: number): void {
    this.routers[router]?.life.end();
  }

  async send(router = 0, from = SOURCE): Promise<void> {
    const event = eventOf(this.clock.now(), { messageId: `m${(this.#sent += 1)}`, event: 'Bought' });
    await this.routers[router]?.pipeline.accept({ source: from, events: [event] });
  }

  /** Sends an event every so often, by each router in turn, while time passes. */
  async pass(ms: number, everyMs = MINUTE, among: readonly number[] = [0]): Promise<void> {
    for (let passed = 0, turn = 0; passed < ms; passed += everyMs, turn += 1) {
      await this.send(among[turn % among.length]);
      await this.clock.advance(everyMs);
    }
  }

  /** What the receiver of notices has taken, each once, in order. */
  get heard(): HeardNotice[] {
    const taken = new Map<string, HeardNotice>();
    for (const post of this.transport.posts) {
      const { request, at, endedAt } = post;
      if (request.url !== HEARS || endedAt === undefined || this.#statusOf(post) >= 300) continue;
      const body: Omit<HeardNotice, 'at'> = JSON.parse(Buffer.from(request.body).toString('utf8'));
      if (!taken.has(body.messageId)) taken.set(body.messageId, { ...body, at: at - this.#start });
    }
    return [...taken.values()];
  }

  get names(): string[] {
    return this.heard.map(({ event }) => event);
  }

  async shop(): Promise<Resources['destinations'] | undefined> {
    return this.store.resources.get('destinations', SHOP);
  }

  async stop(): Promise<void> {
    const stopped = this.routers.map(({ stop }) => stop());
    await this.clock.advance(10_000);
    await Promise.allSettled(stopped.map((one) => Promise.race([one, Promise.resolve()])));
  }
}
