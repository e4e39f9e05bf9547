import { Dispatcher } from '../../delivery/dispatcher.ts';
import { Membership } from '../../delivery/membership.ts';
import { StallWatch } from '../../delivery/stall-watch.ts';
import { createAccept } from '../../events/accept.ts';
import { DEFAULT_POLICY, type DeliveryPolicy } from '../../model/policy.ts';
import type { JoinRequest, Members, Router } from '../../storage/members.ts';
import { Memory } from '../../storage/memory/memory.ts';
import type { Verbs } from '../../storage/verbs.ts';
import { answers, type Endpoint, SimulatedTransport } from '../../../testbed/simulation/simulated-transport.ts';
import { VirtualClock } from '../../../testbed/simulation/virtual-clock.ts';
import { DESTINATION, type LogLine, messageOf, recordingLog, targetOf } from './engine.ts';

export interface MembershipOptions {
  readonly endpoint?: Endpoint;
  readonly policy?: Partial<DeliveryPolicy>;
  readonly router?: Router;
  /** What it makes of its way to the storage. */
  readonly spoil?: (own: Verbs) => Partial<Verbs>;
}

/** The membership of one router, which has not begun, on a storage of its own, in virtual time. */
export class MembershipWorld {
  readonly clock = new VirtualClock();
  readonly logged: LogLine[] = [];
  readonly joins: JoinRequest[] = [];
  /** How often each verb was asked. */
  readonly asked: Partial<Record<keyof Verbs, number>> = {};
  readonly storage;
  readonly transport: SimulatedTransport;
  readonly membership: Membership;
  /** What fails until it is unset. */
  fault: Error | undefined;
  readonly #accept;

  constructor({ endpoint = () => answers(200), policy, router, spoil = () => ({}) }: MembershipOptions = {}) {
    const memory = new Memory({ clock: this.clock });
    this.storage = memory.open('nobody');
    this.transport = new SimulatedTransport(this.clock, endpoint);
    const own = memory.open('one');
    const store = this.#counted({ ...own, join: this.#join(own), ...spoil(own) });
    const ports = {
      policy: { ...DEFAULT_POLICY, ...policy },
      clock: this.clock,
      random: () => 1,
      transport: this.transport,
      targets: () => targetOf('https://example.test/hook'),
      log: recordingLog(this.logged),
      store,
      members: store,
    };
    this.membership = new Membership({
      ...ports,
      ...(router && { router }),
      createDispatcher: (tenure) => new Dispatcher({ ...ports, stalls: new StallWatch(this.clock) }, tenure),
    });
    this.#accept = createAccept({ deliveries: store, dispatcher: this.membership, clock: this.clock });
  }

  async send(messageId: string): Promise<void> {
    const { source, event } = messageOf(this.clock, { messageId });
    await this.#accept([{ source, event, to: [DESTINATION] }], { workspace: 'workspaces/main', version: 0 });
  }

  get messages(): readonly string[] {
    return this.logged.map(({ message }) => message);
  }

  #join(own: Verbs): Members['join'] {
    return (request) => {
      this.joins.push(request);
      return own.join(request);
    };
  }

  #counted<Store extends Verbs>(store: Store): Store {
    return new Proxy(store, {
      get: (target, name: keyof Verbs) => {
        const verb: unknown = Reflect.get(target, name);
        if (typeof verb !== 'function') return verb;
        return async (...given: readonly unknown[]): Promise<unknown> => {
          this.asked[name] = (this.asked[name] ?? 0) + 1;
          if (this.fault !== undefined) throw this.fault;
          return Reflect.apply(verb, target, given);
        };
      },
    });
  }
}
