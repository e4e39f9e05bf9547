import type { Resource } from '@opentelemetry/resources';
import { THIS_ROUTER } from '../../this-router.ts';
import type { TracePackages } from './packages.ts';

/** What all that this router exports says of it. `OTEL_SERVICE_NAME` and `OTEL_RESOURCE_ATTRIBUTES` come first. */
export function resourceOf({
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
}: TracePackages['resources']): Resource {
  const own = resourceFromAttributes({
    'service.name': 'waybill',
    'service.version': THIS_ROUTER.version,
    'service.instance.id': THIS_ROUTER.name,
  });
  return defaultResource()
    .merge(own)
    .merge(detectResources({ detectors: [envDetector] }));
}
