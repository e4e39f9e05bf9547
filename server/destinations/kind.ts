import { slugOf } from '../model/resource-names.ts';
import type { Destination, Source } from '../model/resources.ts';
import { nearest } from '../nearest.ts';
import { catalogDestination, catalogSlugs } from './catalog.ts';
import { SettingFault } from './setting-fault.ts';

/** The kind of destinations that deliver. */
const WEBHOOKS = 'webhooks';
const CATALOG = 'catalog/destinations/';
/** The kind of sources that notices come from. */
const NOTICES = 'catalog/sources/waybill-notices';

/** What tells the kind of a destination: never its slug alone, as an older version took any settings for `webhooks-…`. */
export type Made = Pick<Destination, 'name' | 'catalog_name'>;

/** The kind of a destination, as the catalog calls it (D-11). */
export function kindOf({ name, catalog_name }: Made): string {
  return slugOf(catalog_name ?? name);
}

export function isWebhooks(destination: Made): boolean {
  return kindOf(destination) === WEBHOOKS;
}

/** Whether a source sends what the router has to say of its workspace (D-82). */
export function isOfNotices({ catalog_name }: Pick<Source, 'catalog_name'>): boolean {
  return catalog_name === NOTICES;
}

/**
 * What `integrations` may call a destination, the most specific first (D-11, D-45); case counts (ING-5). A destination that
 * is called `all` has no name of its own there: it means every destination.
 */
export function calledAs(destination: Pick<Destination, 'name' | 'catalog_name' | 'display_name'>): readonly string[] {
  const { display_name: own } = destination;
  const published = catalogDestination(kindOf(destination))?.displayName;
  const names = [own, ...(published === undefined ? [] : [published])];
  return [...new Set(names)].filter((name) => name !== '' && name !== 'all' && name !== 'All');
}

/** What a new destination is made as: the one place where its kind is decided. Throws a SettingFault. */
export function madeAs(name: string, given: string | undefined): Made {
  const slug = slugOf(name);
  if (given !== undefined) requireKnown(given);
  if (slug === WEBHOOKS || slug.startsWith(`${WEBHOOKS}-`)) {
    const own = `${CATALOG}${WEBHOOKS}`;
    if (given !== undefined && given !== own) {
      throw new SettingFault('', `must be ${own} for the slug ${JSON.stringify(slug)}, or absent`);
    }
    return slug === WEBHOOKS ? { name, ...(given && { catalog_name: given }) } : { name, catalog_name: own };
  }
  return { name, ...(given && { catalog_name: given }) };
}

function requireKnown(given: string): void {
  const slug = given.startsWith(CATALOG) ? given.slice(CATALOG.length) : '';
  if (catalogDestination(slug) !== undefined) return;
  const guess = nearest(
    given,
    catalogSlugs().map((one) => `${CATALOG}${one}`),
  );
  const wayOut = guess === undefined ? 'GET /v1beta/catalog/destinations lists them' : `did you mean ${guess}?`;
  throw new SettingFault(
    '',
    `names no destination of the catalog, got ${JSON.stringify(given.slice(0, 80))}: ${wayOut}`,
  );
}
