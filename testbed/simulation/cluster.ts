import type { Target } from '../../server/delivery/target.ts';
import { DEFAULT_POLICY, type DeliveryPolicy } from '../../server/model/policy.ts';
import type { Random } from '../../server/ports/random.ts';
import { LEASE_MS } from '../../server/storage/members.ts';
import { Memory } from '../../server/storage/memory/memory.ts';
import type { StoredDelivery } from '../../server/storage/memory/rows.ts';
import type { Verbs } from '../../server/storage/verbs.ts';
import { type ClusterArrival, type ClusterWorld, drawCluster, type Fault } from './cluster-world.ts';
import type { Accepted } from './order-oracle.ts';
import { inOwnTime } from './own-time.ts';
import { seededRandom } from './seeded-random.ts';
import { SimulatedMember } from './simulated-member.ts';
import { type SimulatedPost, SimulatedTransport } from './simulated-transport.ts';
import { VirtualClock } from './virtual-clock.ts';
import { WayToStorage } from './way-to-storage.ts';

/** Limits small enough to be reached. */
const POLICY: DeliveryPolicy = { ...DEFAULT_POLICY, perDestination: 6, rampStart: 3, parkAfter: 4, queueRoom: 20 };
const SILENT = { debug: ignore, info: ignore, warn: ignore, error: ignore };
/** Who sends events asks again for so long. */
const PATIENCE = 40;
const CALM_MS = 5 * 60_000;

export interface ClusterPost extends SimulatedPost {
  readonly router: string;
  readonly destination: string;
  readonly messageId: string;
  /** When the lease ended, by the storage, that its router had as it was sent. */
  readonly leaseUntil: number;
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
  readonly orphans: readonly { readonly messageId: string; readonly at: number }[];
}

/** Breaks the way of each router to the storage, to show that a run finds it. */
export type Spoil = (own: Verbs) => Partial<Verbs>;

/** Routers of production over one storage, with all that befalls them: everything follows from the seed. */
export async function simulateCluster(seed: number, spoil: Spoil = () => ({})): Promise<ClusterRun> {
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

interface Process {
  readonly name: string;
  readonly way: WayToStorage;
  readonly member: SimulatedMember;
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
  readonly #orphans: { messageId: string; at: number }[] = [];
  /** When the lease of each router ends, by the storage. */
  readonly #leases = new Map<string, number>();

  constructor(world: ClusterWorld, random: Random, spoil: Spoil) {
    this.#world = world;
    this.#random = random;
    this.#spoil = spoil;
  }

  async run(): Promise<ClusterRun> {
    for (const [index, aheadMs] of this.#world.routers.entries()) {
      const place: Place = { index, aheadMs, lives: 0, process: undefined };
      this.#places.push(place);
      this.#begin(place);
    }
    const plan = [...this.#world.arrivals, ...this.#world.faults].toSorted((a, b) => a.at - b.at);
    for (const event of plan) {
      await this.#until(event.at);
      if ('messageId' in event) void this.#send(event);
      else void this.#befall(event);
    }
    await this.#until(this.#world.calmAt + CALM_MS);
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
    const timed = inOwnTime({ ...told, ...this.#spoil(told) }, place.aheadMs);
    const way = new WayToStorage(timed, this.#clock, this.#random);
    const member = this.#member(name, { way, aheadMs: place.aheadMs });
    place.process = { name, way, member };
  }

  readonly #targetOf = (destination: string): Target => {
    const [limits, inOrder] = [this.#world.limits.get(destination), destination === this.#world.inOrder];
    const webhooks = [{ url: `https://${destination}`, headers: {} }];
    return { webhooks, sharedSecret: '', ...(limits && { limits }), ...(inOrder && { inOrder }) };
  };

  #member(name: string, { way, aheadMs }: { readonly way: WayToStorage; readonly aheadMs: number }): SimulatedMember {
    const endpoints = this.#world.endpoints;
    const transport = new SimulatedTransport(this.#clock, (post) => {
      const destination = post.request.url.slice('https://'.length);
      const messageId = messageIdOf(post);
      const leaseUntil = this.#leases.get(name) ?? 0;
      this.#posts.push(Object.assign(post, { router: name, destination, messageId, leaseUntil }));
      return (
        endpoints.get(destination)?.(post.at - this.#start) ?? {
          result: { kind: 'answered', status: 200, excerpt: '' },
        }
      );
    });
    const ports = { policy: POLICY, random: this.#random, transport, targets: this.#targetOf, log: SILENT };
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
  async #send({ messageId, destination, user }: ClusterArrival): Promise<void> {
    const sentAt = this.#clock.steady();
    const arrival = { at: 0, messageId, destination, event: { userId: user } };
    for (let left = PATIENCE; left > 0 && !this.#acknowledged.has(messageId); left -= 1) {
      const place = this.#places[Math.floor(this.#random() * this.#places.length)];
      const answered = place?.process?.member.accept(arrival).then(
        () => this.#acknowledge(messageId, sentAt, destination, user),
        () => undefined,
      );
      await Promise.race([answered, this.#clock.sleep(2_000)]);
      await this.#clock.sleep(200);
    }
  }

  #acknowledge(messageId: string, sentAt: number, destination: string, user: string): void {
    if (this.#acknowledged.has(messageId)) return;
    this.#acknowledged.add(messageId);
    if (destination !== this.#world.inOrder) return;
    this.#inOrder.push({ messageId, line: `${user} at ${destination}`, sentAt, acceptedAt: this.#clock.steady() });
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
    for (const { message } of held) this.#orphans.push({ messageId: message.event.messageId, at });
  }
}

function messageIdOf({ request }: SimulatedPost): string {
  const { messageId }: { messageId: string } = JSON.parse(Buffer.from(request.body).toString('utf8'));
  return messageId;
}

function ignore(): void {
  // What a run does is seen by its posts.
}
