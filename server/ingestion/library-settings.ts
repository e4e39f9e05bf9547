import type { components } from '../../generated/ingestion-api.d.ts';
import { ApiError } from '../http/errors.ts';
import type { Reached, Source } from './caller.ts';

/** The share of browsers that report on themselves where a source asks for it. */
const METRICS_SHARE = 0.1;

const EVERYTHING_ON = { __default: { enabled: true, integrations: {} } };

/** Where the router is reached: the public URL, and without one the host that the library asked. */
interface Place extends Pick<Reached, 'host' | 'protocol'> {
  readonly publicUrl?: string | undefined;
}

/** How long a change of a source may take to reach libraries. */
const MAX_AGE_S = 300;

/** Libraries ask whenever they start. An answer that names the host which was asked is for the asker alone. */
export function settingsCaching(publicUrl: string | undefined): string {
  return `${publicUrl === undefined ? 'private' : 'public'}, max-age=${MAX_AGE_S}`;
}

/**
 * What browser and mobile libraries read when they start. Retries are on whatever `library_config.retry_queue` says:
 * an event that was not accepted must not be lost.
 */
export function librarySettings(
  { library_config: { api_host, metrics_enabled } }: Source,
  writeKey: string,
  { host, protocol, publicUrl }: Place,
): components['schemas']['Settings'] {
  const own = publicUrl ?? `${protocol}://${host}`;
  if (own.endsWith('://')) throw new ApiError('InvalidArgument', 'the Host header is missing');
  const apiHost = placeOf(api_host || own);
  return {
    integrations: {
      'Segment.io': {
        apiKey: writeKey,
        apiHost,
        // A host of its own that names no protocol stands where pages are: behind TLS.
        protocol: protocolIn(api_host || own) ?? 'https',
        retryQueue: true,
        addBundledMetadata: true,
        unbundledIntegrations: [],
      },
    },
    plan: { track: EVERYTHING_ON, identify: EVERYTHING_ON, group: EVERYTHING_ON },
    edgeFunction: {},
    analyticsNextEnabled: true,
    middlewareSettings: {},
    enabledMiddleware: {},
    metrics: { sampleRate: metrics_enabled ? METRICS_SHARE : 0, host: apiHost },
    legacyVideoPluginsEnabled: false,
    remotePlugins: [],
  };
}

/** Libraries add `/t` or `/b` to the host: it has to end in `/v1`, without a protocol and without a slash. */
function placeOf(host: string): string {
  const bare = host.replace(/^https?:\/\//, '').replace(/\/+$/, '');
  return bare.endsWith('/v1') ? bare : `${bare}/v1`;
}

function protocolIn(host: string): 'http' | 'https' | undefined {
  if (host.startsWith('http://')) return 'http';
  return host.startsWith('https://') ? 'https' : undefined;
}
