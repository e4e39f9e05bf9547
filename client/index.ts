/**
 * All of `@waybill/client` but its part for Node, so that it loads anywhere. Names that two parts have mean what they
 * mean in the analytics part; those of the config part are here with `Config` before them.
 */
export * from './analytics/index.ts';
export type { CallOptions, Clock, Fetch } from './analytics/index.ts';
export * from './config/index.ts';
export type { CallOptions as ConfigCallOptions, Clock as ConfigClock, Fetch as ConfigFetch } from './config/index.ts';
export * from './webhooks/index.ts';
