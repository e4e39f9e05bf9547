import { StallWatch } from '../../delivery/stall-watch.ts';
import { Dispatcher } from '../../delivery/dispatcher.ts';
import { createAccept } from '../../events/accept.ts';
import { DEFAULT_POLICY, type DeliveryPolicy } from '../../model/policy.ts';
import type { Target } from '../../delivery/target.ts';
import type { Log } from '../../ports/log.ts';
import type { Event, Message } from '../../model/message.ts';
import { Memory, type MemoryStorage } from '../../storage/memory/memory.ts';
import { type Endpoint, SimulatedTransport } from '../../../testbed/simulation/simulated-transport.ts';
import { VirtualClock } from '../../../testbed/simulation/virtual-clock.ts';

export const DESTINATION = 'workspaces/main/sources/js/destinations/webhooks';

export interface LogLine {
  readonly level: 'debug' | 'info' | 'warn' | 'error';
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** The production engine in virtual time: only time, network and disk are simulated. */
export interface Engine {
  readonly clock: VirtualClock;
  readonly store: MemoryStorage;
  readonly transport: SimulatedTransport;
  readonly dispatcher: Dispatcher;
  readonly logged: readonly LogLine[];
  /** What destinations are; missing means disabled. */
  readonly targets: Map<string, Target>;
  /** Accepts an event as ingestion does, and hands its claims on. */
  readonly send: (event?: Partial<Event>, ...destinations: readonly string[]) => Promise<void>;
}

export async function startEngine(endpoint: Endpoint, options: EngineOptions = {}): Promise<Engine> {
  const clock = new VirtualClock();
  const store = new Memory({ clock }).open();
  const transport = new SimulatedTransport(clock, endpoint);
  const logged: LogLine[] = [];
  const targets = new Map([[DESTINATION, options.target ?? targetOf('https://example.test/hook')]]);
  const dispatcher = new Dispatcher({
    policy: { ...DEFAULT_POLICY, ...options.policy },
    clock,
    random: options.random ?? (() => 1),
    transport,
    targets: (name) => targets.get(name),
    targetAtLast: options.targetAtLast,
    log: recordingLog(logged),
    stalls: options.stalls ?? new StallWatch(clock),
    store,
    members: store,
  });
  await dispatcher.start(await store.join({ now: clock.steady() }));
  const accept = createAccept({ deliveries: store, dispatcher, clock });
  const send: Engine['send'] = async (fields, ...to) => {
    const { source, event } = messageOf(clock, fields);
    await accept([{ source, event, to: to.length === 0 ? [DESTINATION] : to }], {
      workspace: 'workspaces/main',
      version: 0,
    });
  };
  return { clock, store, transport, dispatcher, logged, targets, send };
}

export interface EngineOptions {
  /** What other routers know. */
  readonly targetAtLast?: () => Promise<Target | undefined>;
  readonly target?: Target;
  readonly policy?: Partial<DeliveryPolicy>;
  readonly random?: () => number;
  /** What tells stalls; default one on the engine's clock. */
  readonly stalls?: Pick<StallWatch, 'begin'>;
}

export function targetOf(...urls: string[]): Target {
  return { webhooks: urls.map((url) => ({ url, headers: {} })), sharedSecret: '' };
}

export function messageOf(clock: { now(): number }, event: Partial<Event> = {}): Message {
  const receivedAt = clock.now();
  return { source: 'workspaces/main/sources/js', receivedAt, event: eventOf(receivedAt, event) };
}

export function eventOf(receivedAt: number, event: Partial<Event> = {}): Event {
  const time = new Date(receivedAt).toISOString();
  const base = { type: 'track', messageId: 'm1', userId: 'u1', event: 'Order Completed', context: {} } as const;
  return { ...base, properties: {}, timestamp: time, receivedAt: time, ...event };
}

export function recordingLog(lines: LogLine[]): Log {
  const at =
    (level: LogLine['level']) =>
    (fields: Readonly<Record<string, unknown>>, message: string): void => {
      lines.push({ level, message, fields });
    };
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}
