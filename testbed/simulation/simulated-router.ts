import { Dispatcher, type DispatcherPorts } from '../../server/delivery/dispatcher.ts';
import { StallWatch } from '../../server/delivery/stall-watch.ts';
import { type Accept, createAccept } from '../../server/events/accept.ts';
import type { Routed } from '../../server/events/route.ts';
import type { Members } from '../../server/storage/members.ts';
import type { Clock } from '../../server/ports/clock.ts';
import { Life } from './life.ts';
import type { VirtualClock } from './virtual-clock.ts';
import { type Arrival, routesOf, userOf } from './arrival.ts';

/** What a router has, besides its own time. */
export type SimulatedPorts = Omit<DispatcherPorts, 'clock' | 'stalls' | 'members'> & {
  readonly store: DispatcherPorts['members'] & Pick<Members, 'join'>;
};

/** A router in a virtual world, of which one process follows the other over one store. */
export class SimulatedRouter {
  /** When each message was accepted, by the clock that nobody sets. */
  readonly acceptedAt = new Map<string, number>();
  readonly #clock: VirtualClock;
  readonly #ports: SimulatedPorts;
  readonly #spoil: (ports: DispatcherPorts) => DispatcherPorts;
  /** The process that runs; set by `start`. */
  #process: { readonly life: Life; readonly clock: Clock; readonly accept: Accept } | undefined;

  constructor(clock: VirtualClock, ports: SimulatedPorts, spoil: (ports: DispatcherPorts) => DispatcherPorts) {
    this.#clock = clock;
    this.#ports = ports;
    this.#spoil = spoil;
  }

  async start(): Promise<void> {
    const life = new Life(this.#clock);
    const store = life.bind(this.#ports.store);
    const bound = { store, members: store, transport: life.bind(this.#ports.transport) };
    const ports = this.#spoil({
      ...this.#ports,
      ...bound,
      clock: life.clock,
      stalls: new StallWatch(life.clock),
    });
    const dispatcher = new Dispatcher(ports);
    const accept = createAccept({ deliveries: ports.store, dispatcher, clock: ports.clock });
    this.#process = { life, clock: ports.clock, accept };
    await dispatcher.start(await store.join({ now: ports.clock.steady() }));
  }

  /** As SIGKILL does. */
  kill(): void {
    this.#process?.life.end();
  }

  async accept(arrival: Arrival): Promise<void> {
    if (this.#process === undefined) throw new Error('the router has not been started');
    const { clock, accept } = this.#process;
    this.acceptedAt.set(arrival.messageId, this.#clock.steady());
    await accept([routed(arrival, clock.now())], { workspace: 'workspaces/main', version: 0 });
  }
}

export function routed(arrival: Arrival, wall: number): Routed {
  const { destination, messageId, event: given } = arrival;
  const userId = userOf(arrival);
  const timestamp = new Date(wall).toISOString();
  const event = { type: 'track', messageId, userId, event: 'Simulated', properties: {}, context: {} } as const;
  const source = destination.replace(/\/destinations\/.*/, '');
  return { source, event: { ...event, timestamp, receivedAt: timestamp, ...given }, to: routesOf(arrival) };
}
