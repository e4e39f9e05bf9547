import type { DestinationQueue } from '../../delivery/destination-queue.ts';
import { Dispatcher } from '../../delivery/dispatcher.ts';
import { StallWatch } from '../../delivery/stall-watch.ts';
import type { Target } from '../../delivery/target.ts';
import { createAccept } from '../../events/accept.ts';
import { DEFAULT_POLICY, type DeliveryPolicy } from '../../model/policy.ts';
import { Memory, type MemoryStorage } from '../../storage/memory/memory.ts';
import type { Verbs } from '../../storage/verbs.ts';
import { answers, type Endpoint, SimulatedTransport } from '../../../testbed/simulation/simulated-transport.ts';
import { VirtualClock } from '../../../testbed/simulation/virtual-clock.ts';
import { DESTINATION, type LogLine, messageOf, recordingLog, targetOf } from './engine.ts';

export interface DispatcherOptions {
  readonly endpoint?: Endpoint;
  readonly policy?: Partial<DeliveryPolicy>;
  /** What it makes of its way to the storage. */
  readonly spoil?: (own: Verbs) => Partial<Verbs>;
}

/** A dispatcher whose life the test leads, on a storage of its own, in virtual time. */
export class DispatcherWorld {
  readonly clock = new VirtualClock();
  readonly logged: LogLine[] = [];
  readonly storage: MemoryStorage;
  readonly transport: SimulatedTransport;
  readonly dispatcher: Dispatcher;
  readonly tenure = { holds: true, isEndless: true };
  /** What all destinations are, until it is set; undefined: none is there. */
  target: Target | undefined = targetOf('https://example.test/hook');
  /** How often it was asked for. */
  lookups = 0;
  readonly accept;

  constructor({ endpoint = () => answers(200), policy, spoil = () => ({}) }: DispatcherOptions = {}) {
    this.storage = new Memory({ clock: this.clock, versionOf: () => undefined }).open('one');
    this.transport = new SimulatedTransport(this.clock, endpoint);
    const store = { ...this.storage, ...spoil(this.storage) };
    const ports = {
      policy: { ...DEFAULT_POLICY, ...policy },
      clock: this.clock,
      random: () => 1,
      transport: this.transport,
      targets: () => {
        this.lookups += 1;
        return this.target;
      },
      log: recordingLog(this.logged),
      stalls: new StallWatch(this.clock),
      store,
      members: store,
    };
    this.dispatcher = new Dispatcher(ports, this.tenure);
    this.accept = createAccept({ deliveries: store, dispatcher: this.dispatcher, clock: this.clock });
  }

  async start(): Promise<this> {
    await this.dispatcher.start(await this.storage.join({ now: this.clock.steady() }));
    return this;
  }

  /** Accepts an event for these destinations. */
  async send(messageId: string, ...to: readonly string[]): Promise<void> {
    const { source, event } = messageOf(this.clock, { messageId });
    const routing = { workspace: 'workspaces/main', version: 0 };
    await this.accept([{ source, event, to: to.length === 0 ? [DESTINATION] : to }], routing);
  }

  /** What an earlier life has left in storage for these destinations. */
  async leave(messageId: string, ...to: readonly string[]): Promise<void> {
    await this.storage.join({ now: this.clock.steady() });
    const admission = { reserve: () => ({ hasPlace: false, isInOrder: false }), end: () => undefined };
    const ports = { deliveries: this.storage, dispatcher: { admit: () => admission }, clock: this.clock };
    const { source, event } = messageOf(this.clock, { messageId });
    await createAccept(ports)([{ source, event, to }], { workspace: 'workspaces/main', version: 0 });
  }

  /** The state of the queue of a destination in memory. */
  stateOf(destination = DESTINATION): DestinationQueue | undefined {
    return this.dispatcher.queues.all().find((queue) => queue.destination === destination)?.state;
  }

  get states(): readonly string[] {
    return this.storage.deliveries.map(({ state }) => state);
  }
}
