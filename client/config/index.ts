/** The config part of `@waybill/client`: the Config API (S 4.1), typed from its contract. */
export {
  ConfigApiError,
  type ConfigApiErrorKind,
  type FailedRequest,
  isConfigApiError,
  type NamedErrorKind,
} from './config-api-error.ts';
export type { CatalogDestination, CatalogMethods, CatalogSource } from './catalog.ts';
export { type ConfigClient, createConfigClient } from './config-client.ts';
export type { Clock } from './clock.ts';
export type {
  AudienceDefinition,
  AudienceMember,
  AudienceMethods,
  AudiencePreview,
  ComputedTraitMethods,
  ComputedTraitValue,
  ExplainedMember,
  Sync,
  SyncMethods,
} from './computations.ts';
export type { Delivery, DeliveryMethods, DeliveryPage, DeliveryStory, PageOptions } from './deliveries.ts';
export type { DestinationMethods, NewSecret, RotatedSecret, Shape, ShapePreview } from './destinations.ts';
export type {
  AcceptedCounts,
  AcceptedEventMethods,
  AcceptedEvents,
  CountOptions,
  LiveEvents,
} from './accepted-events.ts';
export type { DroppedEventMethods, DroppedEvents } from './dropped-events.ts';
export type { FilterMethods, FilterPreview } from './filters.ts';
export type { DeliveryMetric, DeliveryMetricsSummary, MetricMethods, MetricsOptions } from './metrics.ts';
export type { Node, NodeMethods } from './nodes.ts';
export type { ConfigClientOptions, Fetch } from './options.ts';
export type { Profile, ProfileMethods } from './profiles.ts';
export type {
  NewRegulation,
  Regulation,
  RegulationMethods,
  SuppressedUser,
  SuppressedUserMethods,
} from './regulations.ts';
export type { NewReplay, Replay, ReplayMethods } from './replays.ts';
export type { ResourceMethods } from './resource-methods.ts';
export {
  accessTokenName,
  destinationName,
  parentOf,
  type ParsedName,
  parseName,
  sourceName,
  trackingPlanName,
  workspaceName,
} from './resource-names.ts';
export type {
  CallOptions,
  ChangeOptions,
  Changes,
  DeleteOptions,
  ListOptions,
  NewResource,
  Resource,
  Tagged,
  UpdateOptions,
  UpdatePath,
} from './resource-types.ts';
export type { ResourceKind } from './resources.ts';
export type { RetryPolicy } from './retry.ts';
export type { Quota, QuotaChanges, QuotaMethods } from './quotas.ts';
export type {
  SchemaConfig,
  SchemaConfigChanges,
  SchemaConfigMethods,
  SchemaConfigUpdateOptions,
} from './schema-configs.ts';
export type { DestinationQueue, Overview, OverviewMethods, QueueMethods } from './overview.ts';
export type { RouterSettings, Setting, SettingMethods } from './settings.ts';
export type { SourceConnection, SourceConnectionMethods } from './source-connections.ts';
export type { AuditEntry, AuditEntryMethods } from './audit-entries.ts';
export type { BackupMethods } from './backup.ts';
export type { UnknownKeyMethods, UnknownKeys } from './unknown-keys.ts';
export type { ViolationMethods, Violations } from './violations.ts';
export { webhooksConfig, type WebhooksSettings } from './webhooks-config.ts';
