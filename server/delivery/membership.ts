import type { Admission } from '../events/accept.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import type { DeliveryStorage } from '../storage/delivery-storage.ts';
import { NotAMember } from '../storage/errors.ts';
import { datedCircuit, type Members, type Roster, type Router } from '../storage/members.ts';
import type { Dispatcher } from './dispatcher.ts';
import { Lease, type Tenure } from './lease.ts';
import { openCircuits, type ReadCircuits, toldBy } from './open-circuits.ts';
import { Strays } from './strays.ts';

/** So many beats in a lease, so that some may be lost. */
const BEATS = 5;
/** A router stops sending so long before its lease ends: clocks do not run alike, and a request has a way to go (D-61). */
const MARGIN_MS = 3_000;
const WATCH_STRAYS_MS = 1_000;
/** After a look at all that it holds, a router leaves its storage alone for so many times as long as that took. */
const REST = 20;
/** How often members tell each other news, and notice that one is gone: soon enough for what it held to go out in 11 s (NODE-4). */
const EXCHANGE_MS = 500;
/** How often what waits is read again all the same: a commit that took longer than its lease is known to nobody. */
const CATCH_UP_MS = 60_000;
/** How long after a failure the storage is asked again. */
const PAUSE_MS = 1_000;
/** How long a life that is over is given to record what it has sent: what is not recorded is sent again. */
const LAST_WORDS_MS = 2_000;

export interface MembershipPorts {
  readonly members: Members;
  readonly store: Pick<DeliveryStorage, 'held' | 'release'>;
  readonly clock: Clock;
  readonly log: Log;
  readonly router?: Router;
  /** Who sends in one life. */
  readonly createDispatcher: (tenure: Tenure) => Dispatcher;
}

interface Life {
  readonly node: string;
  readonly lease: Lease;
  readonly dispatcher: Dispatcher;
  /** Whether other routers may own queues: where the lease never ends, there are none. */
  readonly isShared: boolean;
}

/** A life that has begun, and its end. */
interface Begun {
  readonly ended: Promise<Life>;
}

/**
 * Whether this router is a member of its storage, and until when: nobody else decides that. Each life has a dispatcher of its
 * own, which is fenced when the lease is about to end (D-61); then the router joins again by itself, and starts anew from
 * what waits (D-64). Where the lease is the life of the process, none of this ever happens.
 */
export class Membership {
  readonly #ports: MembershipPorts;
  readonly #stopping = new AbortController();
  /** Unset while this router is no member. */
  #life: Life | undefined;
  #lives: Promise<void> = Promise.resolve();

  constructor(ports: MembershipPorts) {
    this.#ports = ports;
  }

  /** Joins, and begins to send: what is accepted at once, and what waits in storage as it is read. Rejects when it cannot join. */
  async start(): Promise<void> {
    this.#lives = this.#goOn(await this.#begin());
  }

  /** As `Dispatcher.stop`; the router is a member until that has ended. */
  async stop(graceMs: number): Promise<void> {
    this.#stopping.abort();
    await this.#life?.dispatcher.stop(graceMs);
    this.#life?.lease.revoke();
    await this.#lives;
  }

  admit(): Admission {
    if (this.#life === undefined) throw new NotAMember('this router is no member of its storage now');
    return this.#life.dispatcher.admit();
  }

  wake(destination: string): void {
    // While it is no member it knows of nothing that waits: it learns all of it when it has joined.
    this.#life?.dispatcher.wake(destination);
  }

  /** By which its storage knows it; undefined while it is no member. */
  get node(): string | undefined {
    return this.#life?.node;
  }

  get inFlight(): number {
    return this.#life?.dispatcher.inFlight ?? 0;
  }

  get held(): number {
    return this.#life?.dispatcher.queues.held ?? 0;
  }

  get parked(): number {
    return this.#life?.dispatcher.queues.parked.size ?? 0;
  }

  get ownParked(): readonly string[] {
    return this.#life?.dispatcher.queues.ownParked ?? [];
  }

  /** With times by the wall. Each is told by the owner of its queue: this router, or another that has told it in the storage. */
  openCircuits: ReadCircuits = async (name, destinations) => {
    const { members, clock } = this.#ports;
    const life = this.#life;
    const ahead = clock.now() - clock.steady();
    const own = life === undefined ? [] : openCircuits(life.dispatcher.queues, destinations);
    const dated = own.map((circuit) => datedCircuit(circuit, (at) => at + ahead));
    if (life?.isShared === false) return { circuits: dated, count: dated.length };
    const others = (await members.members()).filter(({ node }) => node !== life?.node);
    return toldBy(others, { name, destinations, own: dated });
  };

  /** Why this router takes nothing now; undefined while it does. */
  get fault(): string | undefined {
    if (this.#life?.lease.holds === true) return undefined;
    return 'its storage has not heard of this router, or has not answered, for too long; it joins again by itself';
  }

  async #begin(): Promise<Begun> {
    const { members, clock, router, createDispatcher } = this.#ports;
    const membership = await members.join({ now: clock.steady(), ...(router === undefined ? {} : { router }) });
    const lease = new Lease(clock);
    const dispatcher = createDispatcher(lease);
    const roster = await this.#beat({ lease });
    const life = { node: membership.node, lease, dispatcher, isShared: Number.isFinite(roster.leaseMs) };
    // What waits is read meanwhile: for very many destinations that takes seconds, in which what is accepted is sent.
    void life.dispatcher.start(membership, roster.members);
    const ended = this.#lead(life, roster.leaseMs);
    if (this.#stopping.signal.aborted) lease.revoke();
    if (lease.holds) this.#life = life;
    return { ended };
  }

  /** What a life does besides sending, until it is over; then it is fenced. */
  async #lead(life: Life, leaseMs: number): Promise<Life> {
    const over = new AbortController();
    // A lease that never ends is not renewed; its storage has one member, and loses no answers.
    if (Number.isFinite(leaseMs)) {
      const { neighbors } = life.dispatcher;
      const beat = async (): Promise<void> => neighbors.meet((await this.#beat(life)).members);
      void this.#every(leaseMs / BEATS, over.signal, beat);
      this.#accompany(life, over.signal);
    }
    await life.lease.ended();
    over.abort();
    life.dispatcher.fence();
    if (this.#life === life) this.#life = undefined;
    return life;
  }

  #accompany({ dispatcher }: Life, over: AbortSignal): void {
    const { neighbors } = dispatcher;
    const strays = new Strays(this.#ports, dispatcher);
    void this.#every(EXCHANGE_MS, over, () => neighbors.exchange());
    void this.#every(WATCH_STRAYS_MS, over, () => strays.watch(), REST);
    void this.#every(CATCH_UP_MS, over, () => neighbors.catchUp());
  }

  /** A new life after each that has ended, until this router stops. */
  async #goOn(first: Begun): Promise<void> {
    const { log } = this.#ports;
    for (let begun: Begun | undefined = first; begun !== undefined;) {
      const { dispatcher }: Life = await begun.ended;
      if (this.#stopping.signal.aborted) return;
      log.error({}, 'the lease of this router is over: it sends and takes nothing until it has joined again');
      begun = await this.#beginAgain(dispatcher);
    }
  }

  async #beginAgain(before: Dispatcher): Promise<Begun | undefined> {
    const { clock, log } = this.#ports;
    for (let tries = 0; !this.#stopping.signal.aborted; tries += 1) {
      try {
        await this.#lastWords(before);
        const begun = await this.#begin();
        log.info({}, 'this router has joined its storage again');
        return begun;
      } catch (error) {
        if (tries === 0) log.warn({ reason: String(error) }, 'this router cannot join its storage; it goes on trying');
        await clock.sleep(PAUSE_MS, this.#stopping.signal);
      }
    }
    return undefined;
  }

  /** Until others have taken over what a life held, the storage takes what it did. Rejects where it cannot be reached. */
  async #lastWords(dispatcher: Dispatcher): Promise<void> {
    await this.#ports.members.beat();
    const said = new AbortController();
    const late = this.#ports.clock.sleep(LAST_WORDS_MS, said.signal);
    await Promise.race([dispatcher.recorded(said.signal), late]);
    said.abort();
  }

  async #beat({ lease }: Pick<Life, 'lease'>): Promise<Roster> {
    const { members, clock } = this.#ports;
    const sentAt = clock.steady();
    const roster = await members.beat();
    if (roster === undefined) {
      lease.revoke();
      throw new NotAMember('the life of this router is over');
    }
    lease.renew(sentAt + roster.leaseMs - MARGIN_MS);
    return roster;
  }

  async #every(ms: number, signal: AbortSignal, work: () => Promise<unknown>, rest = 0): Promise<void> {
    const { clock, log } = this.#ports;
    for (let pause = ms; ;) {
      await clock.sleep(pause, signal);
      if (signal.aborted) return;
      const begun = clock.steady();
      await work().catch((error: unknown) =>
        log.warn({ reason: String(error) }, 'the storage did not answer a member'),
      );
      pause = Math.max(ms, rest * (clock.steady() - begun));
    }
  }
}
