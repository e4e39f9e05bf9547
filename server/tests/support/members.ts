import type { Target } from '../../delivery/target.ts';
import { DEFAULT_POLICY } from '../../model/policy.ts';
import { Memory } from '../../storage/memory/memory.ts';
import type { MemoryStorage } from '../../storage/memory/memory.ts';
import type { Verbs } from '../../storage/verbs.ts';
import { SimulatedMember } from '../../../testbed/simulation/simulated-member.ts';
import { answers, type Endpoint, SimulatedTransport } from '../../../testbed/simulation/simulated-transport.ts';
import { VirtualClock } from '../../../testbed/simulation/virtual-clock.ts';
import { DESTINATION, type LogLine, recordingLog, targetOf } from './engine.ts';

/** A router among others, and what it has sent. */
export interface Member {
  readonly router: SimulatedMember;
  readonly transport: SimulatedTransport;
  readonly logged: readonly LogLine[];
  /** Accepts an event for a destination. */
  readonly send: (messageId: string, destination?: string) => Promise<void>;
}

/** Routers on one storage, in virtual time. */
export interface Members {
  readonly clock: VirtualClock;
  /** The storage, as nobody's. */
  readonly storage: MemoryStorage;
  /** Starts a router; `spoil` makes of its way to the storage what it likes. */
  readonly begin: (name: string, spoil?: (own: Verbs) => Partial<Verbs>) => Promise<Member>;
  /** The state of each message. */
  readonly states: () => Record<string, string>;
}

export function startMembers(
  endpoint: Endpoint = () => answers(200),
  target: Target = targetOf('https://example.test/hook'),
): Members {
  const clock = new VirtualClock();
  const memory = new Memory({ clock });
  const storage = memory.open('nobody');
  const begin: Members['begin'] = async (name, spoil = () => ({})) => {
    const own = memory.open(name);
    const logged: LogLine[] = [];
    const transport = new SimulatedTransport(clock, endpoint);
    const ports = { policy: DEFAULT_POLICY, random: () => 1, targets: () => target };
    const store = { ...own, ...spoil(own) };
    const router = new SimulatedMember({ ...ports, clock, store, transport, log: recordingLog(logged) });
    await router.start();
    const send: Member['send'] = (messageId, destination = DESTINATION) =>
      router.accept({ at: 0, messageId, destination });
    return { router, transport, logged, send };
  };
  const states = (): Record<string, string> =>
    Object.fromEntries(storage.deliveries.map(({ message, state }) => [message.event.messageId, state]));
  return { clock, storage, begin, states };
}
