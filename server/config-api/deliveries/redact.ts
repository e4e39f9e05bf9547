import { type Redact, secretMask } from '../../delivery/secret-mask.ts';
import { WEBHOOKS_SLUG, webhooksOf } from '../../destinations/webhooks-settings.ts';
import type { Resources } from '../../ports/config-store.ts';
import { slugOf } from '../resource-name.ts';

/**
 * Masks the secrets of a destination as it is now. They were masked when the attempt was written down, as they were then:
 * what has become one since, or was one of an earlier router, must not be shown either.
 */
export function redactionOf(destination: Resources['destinations']): Redact {
  return slugOf(destination.name) === WEBHOOKS_SLUG ? secretMask(webhooksOf(destination)) : (text) => text;
}
