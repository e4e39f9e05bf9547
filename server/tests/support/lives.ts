import { StallWatch } from '../../delivery/stall-watch.ts';
import { Dispatcher } from '../../delivery/dispatcher.ts';
import { createAccept } from '../../events/accept.ts';
import { DEFAULT_POLICY } from '../../model/policy.ts';
import type { Verbs } from '../../storage/verbs.ts';
import type { Targets } from '../../delivery/target.ts';
import type { Transport } from '../../ports/transport.ts';
import { Life } from '../../../testbed/simulation/life.ts';
import { openMemory } from './memory-storage.ts';
import { type Endpoint, SimulatedTransport } from '../../../testbed/simulation/simulated-transport.ts';
import { VirtualClock } from '../../../testbed/simulation/virtual-clock.ts';
import { DESTINATION, type LogLine, messageOf, recordingLog, targetOf } from './engine.ts';

/** The production engine over one store, in one process after another, in virtual time. */
export interface Lives {
  readonly clock: VirtualClock;
  readonly logged: readonly LogLine[];
  readonly begin: (options?: LifeOptions) => Promise<Engine>;
}

export interface LifeOptions {
  /** True: requests leave, and nobody ever answers. */
  readonly isDeaf?: boolean;
  /** What destinations are in this life; one URL without a secret when not given. */
  readonly targets?: Targets;
}

/** One process: its engine, until it is killed. */
export interface Engine {
  readonly dispatcher: Dispatcher;
  readonly transport: SimulatedTransport;
  /** Accepts so many events, one after the other. */
  readonly send: (count: number) => Promise<void>;
  /** As SIGKILL does. */
  readonly kill: () => void;
}

const plainTargets: Targets = () => targetOf('https://example.test/hook');

const DEAF: Transport = { post: () => new Promise(() => undefined), close: () => Promise.resolve() };

export function startLives(endpoint: Endpoint, store: Verbs = openMemory()): Lives {
  const clock = new VirtualClock();
  const logged: LogLine[] = [];
  let sent = 0;
  const begin: Lives['begin'] = async ({ isDeaf = false, targets = plainTargets } = {}) => {
    const life = new Life(clock);
    const transport = new SimulatedTransport(clock, endpoint);
    const deliveries = life.bind(store);
    const dispatcher = new Dispatcher({
      policy: DEFAULT_POLICY,
      clock: life.clock,
      random: () => 1,
      transport: isDeaf ? DEAF : life.bind(transport),
      targets,
      log: recordingLog(logged),
      stalls: new StallWatch(life.clock),
      store: deliveries,
      members: deliveries,
    });
    await dispatcher.start(await deliveries.join({ now: life.clock.steady() }));
    const accept = createAccept({ deliveries, dispatcher, clock: life.clock });
    const sendOne = async (): Promise<void> => {
      const { source, event } = messageOf({ now: () => life.clock.steady() }, { messageId: `m${(sent += 1)}` });
      await accept([{ source, event, to: [DESTINATION] }], { workspace: 'workspaces/main', version: 0 });
    };
    const send = async (count: number): Promise<void> => {
      for (let n = 0; n < count; n += 1) await sendOne();
    };
    return { dispatcher, transport, send, kill: () => life.end() };
  };
  return { clock, logged, begin };
}
