import { createConfigApi } from './config-api/config-api.ts';
import { bootstrap, type FirstToken } from './config-api/bootstrap.ts';
import { createAddressGuard } from './delivery/address-guard.ts';
import { Dispatcher } from './delivery/dispatcher.ts';
import { DEFAULT_POLICY } from './delivery/policy.ts';
import { createTargets } from './delivery/targets.ts';
import { createUndiciTransport } from './delivery/undici-transport.ts';
import { createApplication } from './http/application.ts';
import { createHealth } from './http/health.ts';
import { listen } from './http/listener.ts';
import { createDroppedEvents } from './ingestion/dropped-events.ts';
import { createIngestionApi } from './ingestion/ingestion-api.ts';
import { newMessageId } from './ingestion/message-id.ts';
import type { Log } from './ports/log.ts';
import { createIntake } from './routing/intake.ts';
import type { Settings } from './settings.ts';
import { openStores } from './store/stores.ts';
import { systemClock } from './system-clock.ts';

/** Attempts in flight get their whole deadline, and requests and stores a moment: together under 10 s. */
const REQUEST_GRACE_MS = 2_000;
const DELIVERY_GRACE_MS = 6_000;

export interface Waybill {
  readonly url: string;
  /** Set when the store was empty, and a token was made. */
  readonly firstToken: FirstToken | undefined;
  /** Takes nothing more, finishes or puts back what is in flight, and closes the stores. */
  stop(): Promise<void>;
}

/** Puts the router together, from its stores to its port, and starts it. What was opened is closed if a later part fails. */
export async function startWaybill(settings: Settings, log: Log): Promise<Waybill> {
  await using opened = new AsyncDisposableStack();
  const clock = systemClock;
  const { deliveries, config } = await openStores(settings.dataDir, log, opened);
  const firstToken = await bootstrap({ store: config, clock, token: settings.token, workspace: settings.workspace });

  const policy = { ...DEFAULT_POLICY, firstWaitMs: settings.retryFirstWaitMs };
  const transport = createUndiciTransport(createAddressGuard(settings.allowNetworks), policy.deadlineMs);
  opened.defer(() => transport.close());
  const ports = { policy, clock, random: Math.random, transport, targets: createTargets(config), log };
  const dispatcher = new Dispatcher({ ...ports, store: deliveries });
  opened.defer(() => dispatcher.stop(DELIVERY_GRACE_MS));
  await dispatcher.start();

  let stopping = false;
  const intake = createIntake({ config, deliveries, dispatcher });
  const application = createApplication({
    log,
    health: createHealth(() => !stopping),
    isStopping: () => stopping,
    services: [
      createConfigApi({ store: config, clock, log }),
      createIngestionApi({ config, intake, clock, log, dropped: createDroppedEvents(), newId: newMessageId }),
    ],
  });
  const handle = application.callback();
  const listener = await listen((request, response) => void handle(request, response), settings.host, settings.port);
  opened.defer(() => listener.close(REQUEST_GRACE_MS));

  const running = opened.move();
  return {
    url: listener.url,
    firstToken,
    stop: async () => {
      stopping = true;
      await running.disposeAsync();
    },
  };
}
