import type { components } from '../../generated/ingestion-api.d.ts';
import { ApiError } from '../http/errors.ts';
import type { Caller } from './caller.ts';
import type { Source } from './source.ts';

/** The share of browsers that report on themselves where a source asks for it. */
const METRICS_SHARE = 0.1;

const EVERYTHING_ON = { __default: { enabled: true, integrations: {} } };

/**
 * What browser and mobile libraries read when they start. Retries are on whatever `library_config.retry_queue` says:
 * an event that was not accepted must not be lost.
 */
export function librarySettings(
  { library_config: { api_host, metrics_enabled } }: Source,
  writeKey: string,
  { host, protocol }: Pick<Caller, 'host' | 'protocol'>,
): components['schemas']['Settings'] {
  const apiHost = placeOf(api_host || host);
  return {
    integrations: {
      'Segment.io': {
        apiKey: writeKey,
        apiHost,
        // A host of its own that names no protocol stands where pages are: behind TLS.
        protocol: protocolIn(api_host) ?? (api_host === '' ? protocol : 'https'),
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
  if (host === '') throw new ApiError('InvalidArgument', 'the Host header is missing: it says where to send events');
  const bare = host.replace(/^https?:\/\//, '').replace(/\/+$/, '');
  return bare.endsWith('/v1') ? bare : `${bare}/v1`;
}

function protocolIn(host: string): 'http' | 'https' | undefined {
  if (host.startsWith('http://')) return 'http';
  return host.startsWith('https://') ? 'https' : undefined;
}
