/**
 * Ingestion addresses to choose from with `host` (LIB-13). `default` is where a router started with its default
 * settings listens; `us` and `eu` are the two regions of the hosted service whose wire the router speaks. An address of
 * your own is as good.
 */
export const HOSTS = {
  default: 'http://127.0.0.1:8080',
  us: 'https://api.segment.io',
  eu: 'https://events.eu1.segmentapis.com',
} as const;

/**
 * The address that batches are posted to. A path in the host is kept, so a router behind a prefix is reached, and a
 * host that already ends in the version's `/v1` is not given a second one.
 */
export function batchUrl(host: string): string {
  return `${host.replace(/(\/v1)?\/*$/, '')}/v1/batch`;
}
