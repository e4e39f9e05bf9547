import { originOf, type Redact, secretMask } from '../../delivery/secret-mask.ts';
import { WEBHOOKS_SLUG, webhooksOf } from '../../destinations/webhooks-settings.ts';
import type { Resources } from '../../storage/config-store.ts';
import { slugOf } from '../resource-name.ts';

/** How the story of a delivery is told without a secret (SAFE-3). */
export interface Discretion {
  readonly redact: Redact;
  /** The place of a webhook in its destination as it is now, from 1 on; undefined when it is there no longer. */
  readonly numberOf: (url: string) => number | undefined;
}

/**
 * Masks the secrets of a destination as it is now. They were masked when the attempt was written down, as they were then:
 * what has become one since, or was one of an earlier router, must not be shown either.
 */
export function discretionOf(destination: Resources['destinations']): Discretion {
  if (slugOf(destination.name) !== WEBHOOKS_SLUG) return { redact: (text) => text, numberOf: () => undefined };
  const settings = webhooksOf(destination);
  const places = new Map(settings.webhooks.map(({ url }, index) => [url, index + 1]));
  return { redact: secretMask(settings), numberOf: (url) => places.get(url) };
}

/** Tells webhooks of one host apart without their paths. */
export function webhookWords(url: string, { numberOf }: Discretion): string {
  const number = numberOf(url);
  return number === undefined ? originOf(url) : `Webhook ${number} at ${originOf(url)}`;
}
