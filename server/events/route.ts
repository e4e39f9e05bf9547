import type { Event, JsonObject } from '../model/message.ts';
import type { Resources } from '../storage/config-store.ts';

type Destination = Pick<Resources['destinations'], 'name' | 'enabled'>;

/** The slugs that deliver, by the published name that `integrations` calls them (D-11, D-45); case counts (ING-5). */
const PUBLISHED_NAMES: ReadonlyMap<string, string> = new Map([['webhooks', 'Webhooks']]);

/** The full names of the destinations that an event goes to: enabled, of a kind that delivers, and not switched off. */
export function routes(event: Pick<Event, 'integrations'>, destinations: readonly Destination[]): string[] {
  const names: string[] = [];
  for (const { name, enabled } of destinations) {
    const published = enabled ? publishedName(name) : undefined;
    if (published !== undefined && isWanted(published, event.integrations)) names.push(name);
  }
  return names;
}

/** Undefined for a destination that delivers nothing, whatever the event says. */
export function publishedName(destination: string): string | undefined {
  return PUBLISHED_NAMES.get(destination.slice(destination.lastIndexOf('/') + 1));
}

/**
 * What the sender says of this destination decides; if nothing, what it says of all (either spelling, D-45); if
 * nothing, yes (S 4.4).
 */
export function isWanted(published: string, integrations: JsonObject | undefined): boolean {
  if (integrations === undefined) return true;
  const own = switchOf(integrations, published);
  if (own !== undefined) return own;
  return switchOf(integrations, 'all') !== false && switchOf(integrations, 'All') !== false;
}

/** Options for a destination, an object, switch it on; what is neither a boolean nor an object says nothing. */
function switchOf(integrations: JsonObject, key: string): boolean | undefined {
  const value = Object.hasOwn(integrations, key) ? integrations[key] : undefined;
  if (typeof value === 'boolean') return value;
  return typeof value === 'object' && value !== null ? true : undefined;
}
