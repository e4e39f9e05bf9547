/** The slugs that deliver, by the published name that `integrations` calls them (D-11, D-45); case counts (ING-5). */
const PUBLISHED_NAMES: ReadonlyMap<string, string> = new Map([['webhooks', 'Webhooks']]);

/** Undefined for a destination that delivers nothing, whatever an event says. */
export function publishedName(destination: string): string | undefined {
  return PUBLISHED_NAMES.get(destination.slice(destination.lastIndexOf('/') + 1));
}
