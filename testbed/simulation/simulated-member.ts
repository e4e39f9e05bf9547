import { Dispatcher, type DispatcherPorts } from '../../server/delivery/dispatcher.ts';
import { Membership } from '../../server/delivery/membership.ts';
import { StallWatch } from '../../server/delivery/stall-watch.ts';
import { createAccept } from '../../server/events/accept.ts';
import type { Verbs } from '../../server/storage/verbs.ts';
import { Life } from './life.ts';
import { routed } from './simulated-router.ts';
import type { VirtualClock } from './virtual-clock.ts';
import type { Arrival } from './arrival.ts';

export interface MemberPorts extends Omit<DispatcherPorts, 'clock' | 'stalls' | 'store' | 'members'> {
  readonly clock: VirtualClock;
  readonly store: Verbs;
  /** How far its wall is ahead of the world's. */
  readonly aheadMs?: number;
}

/** One process of a router that shares its storage with others, in a virtual world: all of delivery as production runs it. */
export class SimulatedMember {
  readonly membership: Membership;
  readonly #life: Life;
  readonly #ports: MemberPorts;
  readonly #store: Verbs;

  constructor(ports: MemberPorts) {
    const life = new Life(ports.clock, ports.aheadMs);
    const [store, transport] = [life.bind(ports.store), life.bind(ports.transport)];
    const bound = { ...ports, store, members: store, transport, clock: life.clock };
    this.#life = life;
    this.#ports = ports;
    this.#store = store;
    this.membership = new Membership({
      ...bound,
      createDispatcher: (tenure) => new Dispatcher({ ...bound, stalls: new StallWatch(life.clock) }, tenure),
    });
  }

  start(): Promise<void> {
    return this.membership.start();
  }

  /** As SIGKILL does. */
  kill(): void {
    this.#life.end();
  }

  /** As SIGSTOP does. */
  pause(): void {
    this.#life.pause();
  }

  get isPaused(): boolean {
    return this.#life.isPaused;
  }

  /** As SIGCONT does. */
  resume(): void {
    this.#life.resume();
  }

  /** Resolves once the event is acknowledged. */
  async accept(arrival: Arrival): Promise<void> {
    const { clock } = this.#life;
    const accept = createAccept({ deliveries: this.#store, dispatcher: this.membership, clock });
    await accept([routed(arrival, this.#ports.clock.now())], { workspace: 'workspaces/main', version: 0 });
  }
}
