import { acceptedEventMethods, type AcceptedEventMethods } from './accepted-events.ts';
import { auditEntryMethods, type AuditEntryMethods } from './audit-entries.ts';
import { backupMethods, type BackupMethods } from './backup.ts';
import {
  type CatalogDestination,
  catalogDestinationMethods,
  type CatalogMethods,
  type CatalogSource,
  catalogSourceMethods,
} from './catalog.ts';
import {
  audienceMethods,
  type AudienceMethods,
  computedTraitMethods,
  type ComputedTraitMethods,
} from './computations.ts';
import { destinationMethods, type DestinationMethods } from './destinations.ts';
import { createDownload } from './download.ts';
import { deliveryMethods, type DeliveryMethods } from './deliveries.ts';
import { droppedEventMethods, type DroppedEventMethods } from './dropped-events.ts';
import { filterMethods, type FilterMethods } from './filters.ts';
import { metricMethods, type MetricMethods } from './metrics.ts';
import { checkOptions, type ConfigClientOptions } from './options.ts';
import { profileMethods, type ProfileMethods } from './profiles.ts';
import {
  regulationMethods,
  type RegulationMethods,
  suppressedUserMethods,
  type SuppressedUserMethods,
} from './regulations.ts';
import { replayMethods, type ReplayMethods } from './replays.ts';
import { nodeMethods, type NodeMethods } from './nodes.ts';
import { type ResourceMethods, resourceMethods } from './resource-methods.ts';
import type { ResourceKind } from './resources.ts';
import { overviewMethods, type OverviewMethods, queueMethods, type QueueMethods } from './overview.ts';
import { settingMethods, type SettingMethods } from './settings.ts';
import { quotaMethods, type QuotaMethods } from './quotas.ts';
import { schemaConfigMethods, type SchemaConfigMethods } from './schema-configs.ts';
import { createSend } from './send.ts';
import { sourceConnectionMethods, type SourceConnectionMethods } from './source-connections.ts';
import { unknownKeyMethods, type UnknownKeyMethods } from './unknown-keys.ts';
import { createWatch } from './watch.ts';
import { violationMethods, type ViolationMethods } from './violations.ts';

/** Resources that have methods beside the standard ones. */
type OwnMethods = 'destinations' | 'filters' | 'audiences' | 'computedTraits';

/** Resources that have all the standard methods (S 4.1). */
type StandardResources = {
  readonly [Kind in Exclude<ResourceKind, OwnMethods>]: ResourceMethods<Kind>;
};

/** The Config API, a property for each of its resources (S 1). */
export interface ConfigClient extends StandardResources {
  readonly destinations: DestinationMethods;
  readonly filters: FilterMethods;
  readonly audiences: AudienceMethods;
  readonly computedTraits: ComputedTraitMethods;
  readonly profiles: ProfileMethods;
  readonly quotas: QuotaMethods;
  readonly schemaConfigs: SchemaConfigMethods;
  readonly sourceConnections: SourceConnectionMethods;
  readonly deliveries: DeliveryMethods;
  readonly replays: ReplayMethods;
  readonly metrics: MetricMethods;
  readonly acceptedEvents: AcceptedEventMethods;
  readonly droppedEvents: DroppedEventMethods;
  readonly violations: ViolationMethods;
  readonly unknownKeys: UnknownKeyMethods;
  readonly nodes: NodeMethods;
  readonly settings: SettingMethods;
  readonly overviews: OverviewMethods;
  readonly queues: QueueMethods;
  readonly backup: BackupMethods;
  readonly auditEntries: AuditEntryMethods;
  readonly regulations: RegulationMethods;
  readonly suppressedUsers: SuppressedUserMethods;
  readonly catalogSources: CatalogMethods<CatalogSource>;
  readonly catalogDestinations: CatalogMethods<CatalogDestination>;
}

/**
 * A client of the Config API (S 4.1). It holds no connection and no state: there is nothing to close, and one client
 * serves any number of calls at once. Throws a TypeError that names the option that cannot be used.
 *
 * ```ts
 * const client = createConfigClient({ baseUrl: 'http://127.0.0.1:8080', token });
 * await client.sources.create({ name: 'workspaces/main/sources/js', catalog_name: 'catalog/sources/javascript' });
 * for await (const source of client.sources.list('workspaces/main')) console.log(source.name);
 * await client.destinations.update('workspaces/main/sources/js/destinations/webhooks', { enabled: false });
 * ```
 */
export function createConfigClient(options: ConfigClientOptions): ConfigClient {
  const settings = checkOptions(options);
  const send = createSend(settings);
  return {
    accessTokens: resourceMethods('accessTokens', send),
    workspaces: resourceMethods('workspaces', send),
    sources: resourceMethods('sources', send),
    destinations: destinationMethods(send),
    filters: filterMethods(send),
    trackingPlans: resourceMethods('trackingPlans', send),
    audiences: audienceMethods(send),
    computedTraits: computedTraitMethods(send),
    profiles: profileMethods(send),
    quotas: quotaMethods(send),
    schemaConfigs: schemaConfigMethods(send),
    sourceConnections: sourceConnectionMethods(send),
    deliveries: deliveryMethods(send),
    replays: replayMethods(send),
    metrics: metricMethods(send),
    acceptedEvents: acceptedEventMethods(send, createWatch(settings)),
    droppedEvents: droppedEventMethods(send),
    violations: violationMethods(send),
    unknownKeys: unknownKeyMethods(send),
    nodes: nodeMethods(send),
    settings: settingMethods(send),
    overviews: overviewMethods(send),
    queues: queueMethods(send),
    auditEntries: auditEntryMethods(send),
    backup: backupMethods(createDownload(settings)),
    regulations: regulationMethods(send),
    suppressedUsers: suppressedUserMethods(send),
    catalogSources: catalogSourceMethods(send),
    catalogDestinations: catalogDestinationMethods(send),
  };
}
