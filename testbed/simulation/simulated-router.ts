import { Dispatcher, type DispatcherPorts } from '../../server/delivery/dispatcher.ts';
import { StallWatch } from '../../server/delivery/stall-watch.ts';
import type { Moment } from '../../server/ports/clock.ts';
import type { Message } from '../../server/model/message.ts';
import { Life } from './life.ts';
import type { VirtualClock } from './virtual-clock.ts';
import type { Arrival } from './world.ts';

/** A router in a virtual world, of which one process follows the other over one store. */
export class SimulatedRouter {
  /** When each message was accepted, by the clock that nobody sets. */
  readonly acceptedAt = new Map<string, number>();
  readonly #clock: VirtualClock;
  readonly #ports: Omit<DispatcherPorts, 'clock' | 'stalls'>;
  readonly #spoil: (ports: DispatcherPorts) => DispatcherPorts;
  /** The process that runs; set by `start`. */
  #process: { readonly life: Life; readonly ports: DispatcherPorts; readonly dispatcher: Dispatcher } | undefined;

  constructor(
    clock: VirtualClock,
    ports: Omit<DispatcherPorts, 'clock' | 'stalls'>,
    spoil: (ports: DispatcherPorts) => DispatcherPorts,
  ) {
    this.#clock = clock;
    this.#ports = ports;
    this.#spoil = spoil;
  }

  async start(): Promise<void> {
    const life = new Life(this.#clock);
    const bound = { store: life.bind(this.#ports.store), transport: life.bind(this.#ports.transport) };
    const ports = this.#spoil({
      ...this.#ports,
      ...bound,
      clock: life.clock,
      stalls: new StallWatch(life.clock),
    });
    const dispatcher = new Dispatcher(ports);
    this.#process = { life, ports, dispatcher };
    await dispatcher.start();
  }

  /** As SIGKILL does. */
  kill(): void {
    this.#process?.life.end();
  }

  async accept(arrival: Arrival): Promise<void> {
    if (this.#process === undefined) throw new Error('the router has not been started');
    const { ports, dispatcher } = this.#process;
    const { destination, messageId } = arrival;
    const claimed = dispatcher.hasRoom(destination);
    const message = messageOf(arrival, { wall: ports.clock.now(), steady: ports.clock.steady() });
    this.acceptedAt.set(messageId, this.#clock.steady());
    const [claims] = await ports.store.accept([{ message, routes: [{ destination, claimed }] }]);
    if (claims !== undefined && claims !== 'duplicate') dispatcher.deliver(claims);
    if (!claimed) dispatcher.wake(destination);
  }
}

function messageOf({ destination, messageId, event: given }: Arrival, { wall, steady }: Moment): Message {
  const timestamp = new Date(wall).toISOString();
  const event = { type: 'track', messageId, userId: 'u1', event: 'Simulated', properties: {}, context: {} } as const;
  const source = destination.replace(/\/destinations\/.*/, '');
  return { source, receivedAt: steady, event: { ...event, timestamp, receivedAt: timestamp, ...given } };
}
