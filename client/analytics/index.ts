export { Analytics, type CloseReport, type FlushReport, type Result } from './analytics.ts';
export type * from './calls.ts';
export { type Clock, systemClock } from './clock.ts';
export {
  alias,
  close,
  flush,
  group,
  identify,
  type ModuleSettings,
  page,
  screen,
  settings,
  track,
} from './default-client.ts';
export { AnalyticsError } from './error.ts';
export type { AnalyticsEvents } from './events.ts';
export type { Fetch, FetchInit, FetchResponse } from './fetch.ts';
export { HOSTS } from './hosts.ts';
export type { Logger } from './logger.ts';
export type { AnalyticsOptions } from './options.ts';
export type { CallResult, FailureReason, RefusalReason } from './result.ts';
export type { DropReason, Statistics } from './statistics.ts';
export type { Store, StoredMessage } from './store.ts';
export type { CallType, Message } from './wire.ts';
