import type { Middleware } from 'koa';
import type { Clock } from '../../ports/clock.ts';
import type { DeliveryStorage } from '../../storage/delivery-storage.ts';
import type { Log } from '../../ports/log.ts';
import type { Instruments } from './registry.ts';

/** What is read when somebody looks. */
export interface Sources {
  readonly deliveries: Pick<DeliveryStorage, 'unfinished'>;
  readonly dispatcher: { readonly inFlight: number; readonly parked: number };
  readonly clock: Clock;
  readonly log: Pick<Log, 'dropped'>;
}

/** `/metrics` in the format of Prometheus. */
export function createMetricsPage(instruments: Instruments, sources: Sources): Middleware {
  let underWay: Promise<string> | undefined;
  // Anybody may ask, and a look costs the store time: those who ask at one time share it.
  const shared = (): Promise<string> =>
    (underWay ??= page(instruments, sources).finally(() => {
      underWay = undefined;
    }));
  return async (ctx, next) => {
    if (ctx.path !== '/metrics') return next();
    ctx.body = await shared();
    ctx.type = instruments.registry.contentType;
  };
}

async function page(instruments: Instruments, sources: Sources): Promise<string> {
  await look(instruments, sources);
  return instruments.registry.metrics();
}

async function look(instruments: Instruments, { deliveries, dispatcher, clock, log }: Sources): Promise<void> {
  for (const { state, count, oldestReceivedAt: oldest = clock.steady() } of await deliveries.unfinished()) {
    instruments.unfinished.set({ state }, count);
    instruments.oldestSeconds.set({ state }, Math.max(0, clock.steady() - oldest) / 1000);
  }
  instruments.parked.set(dispatcher.parked);
  instruments.inFlight.set(dispatcher.inFlight);
  instruments.logLinesDropped.reset();
  instruments.logLinesDropped.inc(log.dropped ?? 0);
}
