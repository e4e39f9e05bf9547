/** The config part of `@waybill/client`: the Config API (S 4.1), typed from its contract. */
export {
  ConfigApiError,
  type ConfigApiErrorKind,
  type FailedRequest,
  isConfigApiError,
  type NamedErrorKind,
} from './config-api-error.ts';
export { type ConfigClient, createConfigClient } from './config-client.ts';
export type { Clock } from './clock.ts';
export type { ConfigClientOptions, Fetch } from './options.ts';
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
  Changes,
  DeleteOptions,
  ListOptions,
  NewResource,
  Resource,
  UpdateOptions,
  UpdatePath,
} from './resource-types.ts';
export type { ResourceKind } from './resources.ts';
export type { RetryPolicy } from './retry.ts';
