import type { Fields } from './config-kinds.ts';

const WEBHOOKS = 'catalog/destinations/webhooks';
const CATALOG = ['amazon-kinesis', 'amplitude', 'clearbrain', 'google-analytics', 'webhooks'];

/** The kind of a destination: the entry of the catalog that it was made as, and its slug without one (D-11). */
export function destinationKind(name: string, { catalog_name: made }: Fields): string {
  const whole = typeof made === 'string' ? made : name;
  return whole.slice(whole.lastIndexOf('/') + 1);
}

/** The entry of the catalog that a slug stands for; undefined where it is the kind itself. */
export function impliedBy(slug: string): Fields {
  return slug.startsWith('webhooks-') ? { catalog_name: WEBHOOKS } : {};
}

/** What is wrong with the entry of the catalog that a new destination is to be. */
export function faultOfCatalogName(slug: string, { catalog_name: given }: Fields): string | undefined {
  if (given === undefined) return undefined;
  if (!CATALOG.some((entry) => given === `catalog/destinations/${entry}`)) return 'catalog_name is not in the catalog';
  const isImplied = slug === 'webhooks' || slug.startsWith('webhooks-');
  return isImplied && given !== WEBHOOKS ? `catalog_name must be ${WEBHOOKS}` : undefined;
}
