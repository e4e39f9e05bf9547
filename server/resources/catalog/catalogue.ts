import { readFileSync } from 'node:fs';
import type { components } from '../../../generated/config-api.d.ts';

export type CatalogueSource = components['schemas']['CatalogSource'];
export type CatalogueDestination = components['schemas']['CatalogDestination'];

/** What kinds of sources and destinations are known, as the Config API shows them. Ordered by name. */
export interface Catalogue {
  readonly sources: readonly CatalogueSource[];
  readonly destinations: readonly CatalogueDestination[];
}

/** Reads the data files beside this one. A test holds them to the document's schemas, so their shape is known. */
export function loadCatalogue(): Catalogue {
  const sources: readonly CatalogueSource[] = JSON.parse(textOf('sources.json'));
  const destinations: readonly CatalogueDestination[] = JSON.parse(textOf('destinations.json'));
  return { sources, destinations };
}

function textOf(name: string): string {
  return readFileSync(new URL(name, import.meta.url), 'utf8');
}
