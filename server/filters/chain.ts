import { holds } from '../fql/evaluate.ts';
import type { Expression } from '../fql/expression.ts';
import type { FilterAction, StoredFilter } from '../ports/filter.ts';
import type { Event } from '../ports/message.ts';
import { onlyFields, withoutFields } from './field-lists.ts';
import { isSampled } from './sample.ts';

/** A filter that is switched on, with its condition read. */
export interface ReadFilter {
  readonly filter: StoredFilter;
  /** Undefined when it cannot be read any more: then nothing passes, since what it should have held back is not known. */
  readonly condition: Expression | undefined;
}

/** All filters of a destination, as they act together. */
export interface FilterChain {
  /** Whether the event goes to the destination at all. */
  readonly admits: (event: Event) => boolean;
  /** The event as the destination gets it. */
  readonly reshape: (event: Event) => Event;
}

/**
 * Filters whose condition holds act in this order, whatever theirs: sample, drop, drop fields, allow fields. Conditions
 * see the event as it came. A `delete` passes whole: it is a notice of Waybill, and no event of a source (HOOK-16).
 */
export function chainOf(filters: readonly ReadFilter[]): FilterChain {
  return {
    admits: (event) => event.type === 'delete' || filters.length === 0 || admits(event, filters),
    reshape: (event) => (event.type === 'delete' || filters.length === 0 ? event : reshape(event, filters)),
  };
}

function admits(event: Event, filters: readonly ReadFilter[]): boolean {
  if (filters.some(({ condition }) => condition === undefined)) return false;
  const acting = actingOn(event, filters);
  const isIn = acting.every(({ action, filter }) => action.type !== 'sample_event' || isSampled(event, action, filter));
  return isIn && !acting.some(({ action }) => action.type === 'drop_event');
}

function reshape(event: Event, filters: readonly ReadFilter[]): Event {
  const lists = actingOn(event, filters).map(({ action: { type, fields = {} } }) => ({ type, fields }));
  const left = lists
    .filter(({ type }) => isBlockList(type))
    .reduce((now, { fields }) => withoutFields(now, fields), event);
  return lists.filter(({ type }) => isAllowList(type)).reduce((now, { fields }) => onlyFields(now, fields), left);
}

interface Acting {
  readonly action: FilterAction;
  readonly filter: string;
}

function actingOn(event: Event, filters: readonly ReadFilter[]): Acting[] {
  return filters
    .filter(({ condition }) => condition !== undefined && holds(condition, event))
    .flatMap(({ filter: { actions, name } }) => actions.map((action) => ({ action, filter: name })));
}

/** Both spellings are in use. */
function isBlockList(type: FilterAction['type']): boolean {
  return type === 'blacklist_fields' || type === 'blocklist_fields';
}

function isAllowList(type: FilterAction['type']): boolean {
  return type === 'whitelist_fields' || type === 'allowlist_fields';
}
