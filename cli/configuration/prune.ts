import { destinationName } from '../../client/config/resource-names.ts';
import { isObject } from '../contract/schemas.ts';
import { type Place, sourceAt, type Step } from './differences.ts';
import type { Kind } from './kinds.ts';
import { type DestinationNode, type Fields, keysOf, type WorkspaceNode } from './model.ts';

/** A label of sources: what a file does not hold is deleted below them alone. */
export interface Prune {
  readonly key: string;
  readonly value: string;
}

/** Sources with the label that the file does not hold; of those that it does, what it names none of any more. */
export function pruned(
  workspace: string,
  wanted: WorkspaceNode,
  live: WorkspaceNode,
  { key, value }: Prune,
): readonly Step[] {
  return [...live.sources].flatMap(([slug, source]) => {
    const { labels } = source.fields;
    if (!isObject(labels) || labels[key] !== value) return [];
    const kept = wanted.sources.get(slug);
    if (kept === undefined) return [remove('sources', sourceAt(workspace, slug), source.fields)];
    return [...(source.destinations ?? [])].flatMap(([own, destination]) => {
      const place = { label: `${workspace}/${slug}/${own}`, name: destinationName(workspace, slug, own) };
      const keptOwn = kept.destinations?.get(own);
      if (keptOwn === undefined)
        return kept.destinations === undefined ? [] : [remove('destinations', place, destination.fields)];
      return surplusFilters(keptOwn, destination, place.label);
    });
  });
}

function surplusFilters(wanted: DestinationNode, live: DestinationNode, destination: string): readonly Step[] {
  if (wanted.filters === undefined) return [];
  const kept = new Set(keysOf(wanted.filters, 'title'));
  const filters = live.filters ?? [];
  const keys = keysOf(filters, 'title');
  return filters.flatMap(({ name = '', fields }, index) => {
    const key = keys[index] ?? '';
    return kept.has(key) ? [] : [remove('filters', { label: `${destination}/filter ${key}`, name }, fields)];
  });
}

function remove(kind: Kind, place: Place, before: Fields): Step {
  return { action: 'delete', kind, ...place, fields: {}, before };
}
