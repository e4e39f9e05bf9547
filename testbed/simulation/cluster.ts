import type { Targets } from '../../server/delivery/target.ts';
import { DEFAULT_POLICY, type DeliveryPolicy } from '../../server/model/policy.ts';
import type { Random } from '../../server/ports/random.ts';
import { LEASE_MS } from '../../server/storage/members.ts';
import { Memory } from '../../server/storage/memory/memory.ts';
import type { StoredDelivery } from '../../server/storage/memory/rows.ts';
import type { Verbs } from '../../server/storage/verbs.ts';
import { type ClusterArrival, type ClusterWorld, drawCluster, type Fault } from './cluster-world.ts';
import { type Arrival, routesOf } from './arrival.ts';
import { messageIdOf } from './fan-out-oracle.ts';
import type { Accepted } from './order-oracle.ts';
import { inOwnTime } from './own-time.ts';
import { HeardSettings, type Rotated } from './heard-settings.ts';
import type { Rotation } from './rotation.ts';
import { ownersOf } from './world.ts';
import { seededRandom } from './seeded-random.ts';
import { SimulatedMember } from './simulated-member.ts';
import { answers, type SimulatedPost, SimulatedTransport } from './simulated-transport.ts';
import { VirtualClock } from './virtual-clock.ts';
import { WayToStorage } from './way-to-storage.ts';

/** Limits small enough to be reached. */
const POLICY: DeliveryPolicy = { ...DEFAULT_POLICY, perDestination: 6, rampStart: 3, parkAfter: 4, queueRoom: 20 };
const SILENT = { debug: ignore, info: ignore, warn: ignore, error: ignore };
/** How long after a change of settings routers may hear of it. */
const FEED_MS = 1_000;
/** Who sends events asks again for so long. */
const PATIENCE = 40;
const CALM_MS = 5 * 60_000;
/** What is being sent to goes on being sent to for so long; a run ends in any case. */
const SENDING_MS = 10_000;
const MOST_MS = 30 * 60_000;

export interface ClusterPost extends SimulatedPost {
  readonly router: string;
  readonly destination: string;
  readonly messageId: string;
  /** When the lease ended, by the storage, that its router had as it was sent. */
  readonly leaseUntil: number;
  /** The secrets that were valid as it was sent, by what its router had been told and by its clock. */
  readonly secrets: readonly string[];
}

interface Orphan {
  readonly destination: string;
  readonly messageId: string;
  readonly at: number;
}

/** What a run of several routers did; times are of the clock that nobody sets. */
export interface ClusterRun {
  readonly world: ClusterWorld;
  readonly policy: DeliveryPolicy;
  readonly posts: readonly ClusterPost[];
  readonly acknowledged: ReadonlySet<string>;
  /** Of destinations that get the events of each user in order. */
  readonly inOrder: readonly Accepted[];
  readonly deliveries: readonly StoredDelivery[];
  /** What was held by a router that was killed, with when that was. */
  readonly orphans: readonly Orphan[];
}

/** Breaks each router, to show that a run finds it. */
export interface Spoil {
  /** Its way to the storage. */
  readonly verbs?: (own: Verbs) => Partial<Verbs>;
  /** How it sees the targets; made for each process. */
  readonly targets?: (own: Targets) => Targets;
}

/** Routers of production over one storage, with all that befalls them: everything follows from the seed. */
export async function simulateCluster(seed: number, spoil: Spoil = {}): Promise<ClusterRun> {
  const cluster = new Cluster(drawCluster(seed), seededRandom(seed ^ 0xc1a5), spoil);
  return cluster.run();
}

/** Where one process of a router after the other runs, each as a node of its own. */
interface Place {
  readonly index: number;
  readonly aheadMs: number;
  lives: number;
  /** Unset while none runs. */
  process: Process | undefined;
}

type Bound = Pick<Process, 'way' | 'settings'> & Pick<Place, 'aheadMs'>;

interface Process {
  readonly name: string;
  readonly way: WayToStorage;
  readonly member: SimulatedMember;
  readonly settings: HeardSettings;
}

class Cluster {
  readonly #clock = new VirtualClock();
  readonly #start = this.#clock.steady();
  readonly #memory = new Memory({ clock: this.#clock });
  readonly #storage = this.#memory.open('nobody');
  readonly #world: ClusterWorld;
  readonly #random: Random;
  readonly #spoil: Spoil;
  readonly #places: Place[] = [];
  readonly #posts: ClusterPost[] = [];
  readonly #acknowledged = new Set<string>();
  readonly #inOrder: Accepted[] = [];
  readonly #orphans: Orphan[] = [];
  /** All that was done to secrets so far, with when that was. */
  readonly #rotations: Rotated[] = [];
  /** Draws how long routers hear nothing of it. */
  readonly #feed: Random;
  /** When the lease of each router ends, by the storage. */
  readonly #leases = new Map<string, number>();

  constructor(world: ClusterWorld, random: Random, spoil: Spoil) {
    this.#world = world;
    this.#random = random;
    this.#spoil = spoil;
    this.#feed = seededRandom(world.seed ^ 0xfeed);
  }

  async run(): Promise<ClusterRun> {
    for (const [index, aheadMs] of this.#world.routers.entries()) {
      const place: Place = { index, aheadMs, lives: 0, process: undefined };
      this.#places.push(place);
      this.#begin(place);
    }
    const { arrivals, rotations, faults } = this.#world;
    const plan = [...arrivals, ...rotations, ...faults].toSorted((a, b) => a.at - b.at);
    for (const event of plan) {
      await this.#until(event.at);
      if ('messageId' in event) void this.#send(event);
      else if ('change' in event) this.#rotate(event);
      else void this.#befall(event);
    }
    let end = this.#world.calmAt + CALM_MS;
    for (await this.#until(end); this.#isSending; await this.#until(end)) end += SENDING_MS;
    const { deliveries } = this.#storage;
    const [posts, orphans] = [this.#posts, this.#orphans];
    return {
      world: this.#world,
      policy: POLICY,
      posts,
      acknowledged: this.#acknowledged,
      inOrder: this.#inOrder,
      deliveries,
      orphans,
    };
  }

  /** A slow destination, of which few may be in flight, may have its whole backlog in front of it yet. */
  get #isSending(): boolean {
    const now = this.#clock.steady();
    return now < this.#start + MOST_MS && this.#posts.some(({ at }) => at > now - SENDING_MS);
  }

  #until(at: number): Promise<void> {
    return this.#clock.advance(Math.max(0, this.#start + at - this.#clock.steady()));
  }

  /** What is to be known of leases, at the storage itself. */
  #noting(name: string, own: Verbs): Partial<Verbs> {
    const noted = <Answer>(answer: Answer): Answer => {
      if (answer !== undefined) this.#leases.set(name, this.#clock.steady() + LEASE_MS);
      return answer;
    };
    return {
      join: async (request) => noted(await own.join(request)),
      beat: async () => noted(await own.beat()),
    };
  }

  #begin(place: Place): void {
    place.lives += 1;
    const name = `router-${place.index}-${place.lives}`;
    const own = this.#memory.open(name);
    const told = { ...own, ...this.#noting(name, own) };
    const timed = inOwnTime({ ...told, ...this.#spoil.verbs?.(told) }, place.aheadMs);
    const way = new WayToStorage(timed, this.#clock, this.#random);
    const settings = new HeardSettings(this.#world, this.#rotations);
    const member = this.#member(name, { way, settings, aheadMs: place.aheadMs });
    place.process = { name, way, member, settings };
  }

  /** Each router is told of it a moment later, or once it can hear again. */
  #rotate(rotation: Rotation): void {
    this.#rotations.push({ rotation, wall: this.#clock.now() });
    for (const place of this.#places) void this.#tell(place);
  }

  async #tell(place: Place): Promise<void> {
    await this.#clock.sleep(Math.floor(this.#feed() * FEED_MS));
    while (place.process?.way.trouble === 'cut' || place.process?.member.isPaused === true) {
      await this.#clock.sleep(FEED_MS);
    }
    place.process?.settings.hear(this.#rotations);
  }

  #member(name: string, { way, settings, aheadMs }: Bound): SimulatedMember {
    const { endpoints, targets } = this.#world;
    const owners = ownersOf({ targets });
    const transport = new SimulatedTransport(this.#clock, (post) => {
      const { url } = post.request;
      const destination = owners.get(url) ?? '';
      const secrets = settings.secretsOf(url, this.#clock.now() + aheadMs);
      const leaseUntil = this.#leases.get(name) ?? 0;
      const messageId = messageIdOf(post);
      this.#posts.push(Object.assign(post, { router: name, destination, messageId, leaseUntil, secrets }));
      return endpoints.get(destination)?.(post.at - this.#start) ?? answers(200);
    });
    const see = this.#spoil.targets?.(settings.target) ?? settings.target;
    const ports = { policy: POLICY, random: this.#random, transport, targets: see, log: SILENT };
    const member = new SimulatedMember({ ...ports, clock: this.#clock, store: way.store, aheadMs });
    void this.#started(member);
    return member;
  }

  /** A process that cannot start is started again. */
  async #started(member: SimulatedMember): Promise<void> {
    for (;;) {
      try {
        return await member.start();
      } catch {
        await this.#clock.sleep(1_000);
      }
    }
  }

  /** As a client does: it asks again, of whoever answers, until it is acknowledged. */
  async #send({ messageId, destination, also, user }: ClusterArrival): Promise<void> {
    const sentAt = this.#clock.steady();
    const arrival = { at: 0, messageId, destination, also, event: { userId: user } };
    for (let left = PATIENCE; left > 0 && !this.#acknowledged.has(messageId); left -= 1) {
      const place = this.#places[Math.floor(this.#random() * this.#places.length)];
      const answered = place?.process?.member.accept(arrival).then(
        () => this.#acknowledge(arrival, sentAt, user),
        () => undefined,
      );
      await Promise.race([answered, this.#clock.sleep(2_000)]);
      await this.#clock.sleep(200);
    }
  }

  #acknowledge(arrival: Arrival, sentAt: number, user: string): void {
    const { messageId } = arrival;
    if (this.#acknowledged.has(messageId)) return;
    this.#acknowledged.add(messageId);
    const { inOrder } = this.#world;
    if (!routesOf(arrival).includes(inOrder)) return;
    this.#inOrder.push({ messageId, line: `${user} at ${inOrder}`, sentAt, acceptedAt: this.#clock.steady() });
  }

  async #befall({ kind, router, forMs }: Fault): Promise<void> {
    const place = this.#places[router % this.#places.length];
    if (place?.process === undefined) return;
    const { name, member, way } = place.process;
    switch (kind) {
      case 'kill':
        member.kill();
        place.process = undefined;
        this.#mourn(name);
        await this.#clock.sleep(forMs);
        return this.#begin(place);
      case 'pause':
        member.pause();
        await this.#clock.sleep(forMs);
        return member.resume();
      case 'cut':
      case 'loses answers':
        way.trouble = kind;
        await this.#clock.sleep(forMs);
        way.trouble = 'none';
    }
  }

  #mourn(name: string): void {
    const at = this.#clock.steady();
    const held = this.#storage.deliveries.filter(({ state, holder }) => state === 'trying' && holder?.node === name);
    for (const { message, destination } of held) {
      this.#orphans.push({ messageId: message.event.messageId, destination, at });
    }
  }
}

function ignore(): void {
  // What a run does is seen by its posts.
}
