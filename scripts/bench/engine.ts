import { StallWatch } from '../../server/delivery/stall-watch.ts';
import { createAddressGuard } from '../../server/delivery/address-guard.ts';
import { Dispatcher, type DispatcherPorts } from '../../server/delivery/dispatcher.ts';
import { FOR_EVER, type Tenure } from '../../server/delivery/lease.ts';
import { type Accept, createAccept } from '../../server/events/accept.ts';
import type { DeliveryPolicy } from '../../server/model/policy.ts';
import type { Target } from '../../server/delivery/target.ts';
import { createUndiciTransport } from '../../server/delivery/undici-transport.ts';
import type { DeliveryStorage } from '../../server/storage/delivery-storage.ts';
import type { Members } from '../../server/storage/members.ts';
import type { Log } from '../../server/ports/log.ts';
import { systemClock } from '../../server/system-clock.ts';

function ignore(): void {
  // A bench measures the work, not the writing about it.
}

const silentLog: Log = { debug: ignore, info: ignore, warn: ignore, error: ignore };

/** The delivery engine of production in this process, on a store that is open: without HTTP APIs, metrics and log. */
export interface Engine {
  readonly accept: Accept;
  /** Resolves once so many deliveries are on disk as delivered. */
  delivered(count: number): Promise<void>;
  stop(): Promise<void>;
}

/** Every destination has the one target. */
export async function startEngine(
  store: DispatcherPorts['store'] & Members,
  target: Target,
  policy: DeliveryPolicy,
  tenure: Tenure = FOR_EVER,
): Promise<Engine> {
  const transport = createUndiciTransport(createAddressGuard(['127.0.0.0/8']), policy.deadlineMs);
  const ports = { policy, clock: systemClock, random: Math.random, transport, log: silentLog };
  let count = 0;
  let wanted = Infinity;
  let reached = Promise.withResolvers<void>();
  const record: DeliveryStorage['record'] = async (rounds) => {
    const recorded = await store.record(rounds);
    count += rounds.filter((round) => round.verdict.state === 'delivered').length;
    if (count >= wanted) reached.resolve();
    return recorded;
  };
  const stalls = new StallWatch(ports.clock);
  const parts = { ...ports, stalls, targets: () => target, store: { ...store, record }, members: store };
  const dispatcher = new Dispatcher(parts, tenure);
  await dispatcher.start(await store.join({ now: ports.clock.steady() }));
  return {
    accept: createAccept({ deliveries: store, dispatcher, clock: ports.clock }),
    delivered: (number) => {
      wanted = number;
      reached = Promise.withResolvers();
      if (count >= wanted) reached.resolve();
      return reached.promise;
    },
    stop: async () => {
      await dispatcher.stop(1_000);
      await transport.close();
    },
  };
}
