import type { RequestListener } from 'node:http';
import type { Middleware } from 'koa';
import { createCatcher } from './audiences/catch.ts';
import { createConfigApi, LEAST_BODY_MEMORY } from './resources/config-api.ts';
import type { Deliveries } from './resources/env.ts';
import { logInTurns } from './resources/log-in-turns.ts';
import { bootstrap, type StartToken } from './resources/bootstrap.ts';
import { createAddressGuard } from './delivery/address-guard.ts';
import { Dispatcher } from './delivery/dispatcher.ts';
import { Membership } from './delivery/membership.ts';
import { checkPolicy } from './model/check-policy.ts';
import { DEFAULT_POLICY, type DeliveryPolicy } from './model/policy.ts';
import type { Tenure } from './delivery/lease.ts';
import type { RoundWatcher } from './delivery/recorder.ts';
import { StallWatch } from './delivery/stall-watch.ts';
import { createWaitingQueues } from './delivery/waiting-queues.ts';
import type { Claim } from './model/delivery.ts';
import { type Directory, openDirectory } from './directory/directory.ts';
import { throughProxy } from './delivery/egress-proxy.ts';
import { createUndiciTransport } from './delivery/undici-transport.ts';
import { createTurns, type Turns } from './fairness/turns.ts';
import { behind, createApplication, type Front } from './http/application.ts';
import { type AdmissionLimits, createAdmission } from './http/admission.ts';
import { type ClientAddresses, createClientAddresses } from './http/client-addresses.ts';
import { createBackup } from './operations/backup.ts';
import { createHealth } from './operations/health.ts';
import { listen, type Listener } from './http/listener.ts';
import { type CertificateWatch, keepFresh, readTls, tlsFilesOf } from './http/tls.ts';
import { readinessOf } from './operations/readiness.ts';
import { createConsole } from './http/console.ts';
import { createReference } from './http/reference.ts';
import { LiveEvents } from './events/live-events.ts';
import { createIngestionApi } from './ingestion/ingestion-api.ts';
import { newMessageId } from './events/normalize-calls.ts';
import { boundedLog } from './operations/log/bounded-log.ts';
import { createMetrics } from './operations/metrics/metrics-page.ts';
import { createInstruments } from './operations/metrics/registry.ts';
import { startTelemetry, type Telemetry } from './operations/telemetry/telemetry.ts';
import type { Clock } from './ports/clock.ts';
import type { Log } from './ports/log.ts';
import { createMemoryRateLimit, createSharedRateLimit } from './http/rate-limit.ts';
import { UnreadAnswers } from './http/unread-answers.ts';
import type { Transport } from './ports/transport.ts';
import type { Quotas } from './quotas/quotas.ts';
import { startQuotas } from './quotas/start-quotas.ts';
import { startJobs } from './jobs/start-jobs.ts';
import { Pipeline } from './events/pipeline.ts';
import { InvalidSetting } from './settings/invalid-setting.ts';
import type { Settings } from './settings/settings.ts';
import type { FileParts } from './storage/file/open-file-storage.ts';
import { openedStorage } from './opened-storage.ts';
import type { Storage } from './storage/storage.ts';
import { systemClock } from './system-clock.ts';
import { THIS_ROUTER } from './this-router.ts';
import type { LossSinks } from './losses/loss-reader.ts';
import { startLosses } from './losses/start-losses.ts';
import { countEnded } from './losses/ended-hours.ts';
import { countedEnds } from './losses/traffic.ts';

/** Attempts in flight get their whole deadline, and requests and stores a moment: together under 10 s. */
const REQUEST_GRACE_MS = 2_000;
const DELIVERY_GRACE_MS = 6_000;

export interface Waybill {
  readonly url: string;
  readonly startToken: StartToken;
  /** Reads the files of the certificate again, where https is served. */
  reload(): void;
  /** Takes nothing more, finishes or puts back what is in flight, and closes the stores. */
  stop(): Promise<void>;
}

/** Where something may stand between the router and the world behind its ports; production puts nothing there. */
export interface Seams extends FileParts {
  readonly storage?: (own: Storage) => Storage;
  readonly transport?: (own: Transport) => Transport;
  readonly policy?: Partial<DeliveryPolicy>;
}

/** Puts the router together, from its stores to its port, and starts it. What was opened is closed if a later part fails. */
export async function startWaybill(settings: Settings, log: Log, seams: Seams = {}): Promise<Waybill> {
  await using opened = new AsyncDisposableStack();
  const instruments = createInstruments();
  const stores = await openStores(settings, log, { seams, instruments, opened });
  const telemetry = await openedTelemetry(settings, log, opened);
  const { storage, health, startToken, sinks, losses, watchers } = stores;
  const { deliveries, resources: store, shared: between, usedIds } = storage;
  const turns = createTurns();
  const directory = await openDirectory(store, { undecided: sinks.undecided, turns, clock: systemClock });
  const quotas = stopped(opened, startQuotas(storage, { directory, log, clock: systemClock, instruments }));
  const membership = await startDelivery(settings, { ...storage, log, directory, seams, telemetry, watchers }, opened);
  opened.defer(await health.start({ directory, parked: () => membership.ownParked }));
  const [stopping, catcher] = [new AbortController(), createCatcher(directory)];
  const live = new LiveEvents({ clock: systemClock, stopping: stopping.signal });
  const shared = { directory, clock: systemClock, log, live, quotas, turns, ...sinks, tracing: telemetry?.tracing };
  const pipeline = new Pipeline({ ...shared, deliveries, dispatcher: membership, catcher, newId: newMessageId });
  const wake = (destination: string): void => membership.wake(destination);
  const jobs = stopped(opened, await startJobs(settings, storage, { ...shared, pipeline, losses, wake, instruments }));
  const addresses = createClientAddresses(settings.trustedProxies);
  const requests = { log: boundedLog(log, systemClock) };
  const configApi = { ...shared, ...requests, ...configParts(settings, storage, log), losses, addresses };
  const readiness = readinessOf(storage, membership, shared);
  const measurable = { ...storage, ...shared, dispatcher: membership, router: THIS_ROUTER, readiness };
  const metrics = createMetrics(instruments, measurable);
  telemetry?.exportMetrics(metrics.read);
  const application = createApplication({
    ...requests,
    health: createHealth({ stopping: stopping.signal, readiness }),
    stopping: stopping.signal,
    services: [
      createConfigApi({ ...configApi, jobs, deliveries: { ...deliveriesOf(storage, membership), wake } }),
      metrics.page,
      ...pagesOf(settings),
    ],
  });
  const own = { pipeline, addresses, shared: between, usedIds, stopping: stopping.signal };
  const handle = behind(createIngestion(settings, { ...shared, ...requests, ...own }), application);
  const { listener, certificate } = await startListening(handle, settings, opened, log);
  return { url: listener.url, startToken, reload: () => certificate?.look(), stop: stopOf(opened.move(), stopping) };
}

/** Stops with the router. */
function stopped<Part extends { stop(): unknown }>(opened: AsyncDisposableStack, part: Part): Part {
  opened.defer(async () => void (await part.stop()));
  return part;
}

interface Stores extends Awaited<ReturnType<typeof startLosses>>, Awaited<ReturnType<typeof openedStorage>> {
  readonly startToken: StartToken;
  readonly watchers: readonly RoundWatcher[];
}

/** The storage, and who is told of its rounds. */
async function openStores(settings: Settings, log: Log, parts: Parameters<typeof openedStorage>[2]): Promise<Stores> {
  const { storage, ...others } = await openedStorage(settings, log, parts);
  const startToken = await bootstrap({ ...settings, store: storage.resources, clock: systemClock });
  const losses = await startLosses(storage, log, parts.instruments, parts.opened);
  const watchers = [others.health, countedEnds(losses.sinks.traffic), countEnded(losses.hours)];
  return { ...others, storage, startToken, watchers, ...losses };
}

/** From the moment it is called, requests are sent elsewhere, and streams end. */
function stopOf(running: AsyncDisposableStack, stopping: AbortController): Waybill['stop'] {
  return async () => {
    stopping.abort();
    await running.disposeAsync();
  };
}

/** What people look at. */
function pagesOf({ console, docs }: Settings): Middleware[] {
  return [...(console ? [createConsole(systemClock)] : []), ...(docs ? [createReference()] : [])];
}

/** What has become of events, and what waits. */
function deliveriesOf({ log, jobs, deliveries: store }: Storage, membership: Membership): Omit<Deliveries, 'wake'> {
  return {
    log: logInTurns(log),
    storage: jobs,
    queues: createWaitingQueues({ store, openCircuits: membership.openCircuits, clock: systemClock }),
  };
}

/** Closed after all that traces are of, and before the stores, which metrics look at. */
async function openedTelemetry(
  { telemetry: settings }: Settings,
  log: Log,
  opened: AsyncDisposableStack,
): Promise<Telemetry | undefined> {
  if (settings === undefined) return undefined;
  const telemetry = await startTelemetry(settings, { clock: systemClock, log });
  opened.defer(() => telemetry.close());
  return telemetry;
}

/** The figures of delivery with what the operator set; refused when they contradict each other. */
function policyOf({ retryFirstWaitMs }: Settings, seams: Seams): DeliveryPolicy {
  const policy = { ...DEFAULT_POLICY, firstWaitMs: retryFirstWaitMs, ...seams.policy };
  const faults = checkPolicy(policy);
  if (faults.length > 0) throw new InvalidSetting(`--retry-first-wait is invalid: ${faults.join('; ')}`);
  return policy;
}

interface DispatcherParts extends Pick<Storage, 'deliveries' | 'members'> {
  readonly directory: Directory;
  readonly log: Log;
  readonly seams: Seams;
  readonly telemetry: Telemetry | undefined;
  readonly watchers: readonly RoundWatcher[];
}

/** Starts to send, in one life of this router after the other. */
async function startDelivery(
  settings: Settings,
  { deliveries, members, log, directory, seams, telemetry, watchers }: DispatcherParts,
  opened: AsyncDisposableStack,
): Promise<Membership> {
  const policy = policyOf(settings, seams);
  const { allowNetworks, egressProxy: proxy } = settings;
  const through = proxy === undefined ? {} : { dialler: throughProxy(proxy) };
  const own = createUndiciTransport(createAddressGuard(allowNetworks), policy.deadlineMs, through);
  opened.defer(() => own.close());
  const transport = seams.transport?.(own) ?? own;
  const clock = systemClock;
  const outside = {
    clock,
    random: Math.random,
    transport,
    targets: directory.target,
    targetAtLast: async (claim: Claim) => {
      await directory.refresh();
      return directory.target(claim.destination, claim);
    },
    log,
    tracing: telemetry?.tracing,
  };
  const ports = { ...outside, policy, stalls: new StallWatch(clock), store: deliveries, members, watchers };
  const createDispatcher = (tenure: Tenure): Dispatcher => new Dispatcher(ports, tenure);
  const membership = new Membership({ ...ports, router: THIS_ROUTER, createDispatcher });
  opened.defer(() => membership.stop(DELIVERY_GRACE_MS));
  await membership.start();
  return membership;
}

interface IngestionParts {
  readonly directory: Directory;
  readonly clock: Clock;
  readonly log: Log;
  readonly unknownKeys: LossSinks['unknownKeys'];
  readonly pipeline: Pipeline;
  readonly quotas: Quotas;
  readonly addresses: ClientAddresses;
  readonly turns: Turns;
  readonly shared: Storage['shared'];
  readonly usedIds: Storage['usedIds'];
  readonly stopping: AbortSignal;
}

/** Of each API by itself: neither takes the room of the other. */
function limitsOf({ maxRequests: requests, maxBodyBytes }: Settings, least = 0): AdmissionLimits {
  return { requests, bytes: Math.max(maxBodyBytes, least) };
}

function createIngestion(settings: Settings, { unknownKeys, ...parts }: IngestionParts): Front {
  const admission = createAdmission(limitsOf(settings), () => systemClock.steady());
  const accepted = settings.unknownKeys === 'accept' ? unknownKeys : undefined;
  const { publicUrl } = settings;
  return createIngestionApi({ ...parts, admission, unknownKeys: accepted, publicUrl });
}

/** What the Config API asks of the storage, and what bounds it: how often and for how much it is asked, and where webhooks may lead. */
function configParts(
  settings: Settings,
  { resources: store, members, profiles, tellings, shared, snapshot }: Storage,
  log: Log,
) {
  const { rateLimit: limit, allowNetworks, inForce, retentionMs } = settings;
  const backup = snapshot && createBackup({ snapshot, clock: systemClock, log });
  const addressGuard = createAddressGuard(allowNetworks);
  const router = { ...THIS_ROUTER, settings: inForce };
  const limits = limitsOf(settings, LEAST_BODY_MEMORY);
  const admission = createAdmission(limits, () => systemClock.steady());
  const unread = new UnreadAnswers(limits.bytes, () => systemClock.steady());
  const parts = {
    store,
    members,
    profiles,
    tellings,
    addressGuard,
    retentionMs,
    router,
    admission,
    unread,
    ...(backup === undefined ? {} : { backup }),
  };
  if (limit === 0) return parts;
  const rateLimit =
    shared === undefined ? createMemoryRateLimit(limit) : createSharedRateLimit(limit, { shared, clock: systemClock });
  return { ...parts, rateLimit };
}

async function startListening(
  handle: RequestListener,
  settings: Settings,
  opened: AsyncDisposableStack,
  log: Log,
): Promise<{ readonly listener: Listener; readonly certificate: CertificateWatch | undefined }> {
  const files = tlsFilesOf(settings);
  const options = { ...settings, tls: files && readTls(files) };
  const listener = await listen(handle, options, systemClock);
  opened.defer(() => listener.close(REQUEST_GRACE_MS));
  const certificate = files && keepFresh(files, (material) => listener.useCertificate(material), log);
  opened.defer(() => certificate?.stop());
  return { listener, certificate };
}
