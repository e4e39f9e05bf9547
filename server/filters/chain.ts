import { type Budget, decided } from '../evaluation/budget.ts';
import { holds } from '../fql/evaluate.ts';
import type { Expression } from '../fql/expression.ts';
import type { FilterAction, Filter } from '../model/resources.ts';
import type { Event } from '../model/message.ts';
import type { Undecided } from '../losses/undecided.ts';
import { type FieldLists, onlyFields, readFieldLists, withoutFields, withoutGroups } from './field-lists.ts';
import { isSampled } from './sample.ts';

/** A filter as it is used: its condition and what it lists are read once. */
export interface ReadFilter {
  readonly filter: Filter;
  /** Undefined when it cannot be read any more: then nothing passes, since what it should have held back is not known. */
  readonly condition: Expression | undefined;
  /** Its actions that decide whether an event goes to the destination. */
  readonly admitting: readonly FilterAction[];
  /** Its actions that decide what of an event goes there. */
  readonly reshaping: readonly Reshaping[];
}

interface Reshaping {
  readonly kind: 'leave out' | 'send only';
  readonly lists: FieldLists;
}

export function readActions({ actions }: Filter): Pick<ReadFilter, 'admitting' | 'reshaping'> {
  const [admitting, reshaping]: [FilterAction[], Reshaping[]] = [[], []];
  for (const action of actions) {
    switch (action.type) {
      case 'drop_event':
      case 'sample_event':
        admitting.push(action);
        break;
      // Both spellings are in use.
      case 'blacklist_fields':
      case 'blocklist_fields':
        reshaping.push({ kind: 'leave out', lists: readFieldLists(action.fields) });
        break;
      case 'whitelist_fields':
      case 'allowlist_fields':
        reshaping.push({ kind: 'send only', lists: readFieldLists(action.fields) });
        break;
    }
  }
  return { admitting, reshaping };
}

/** All filters of a destination, as they act together, within one budget for each event. */
export interface FilterChain {
  /** Whether the event goes to the destination: no, where that is undecided (SAFE-2). Undefined where each one goes. */
  readonly admits: ((event: Event, budget: Budget) => boolean) | undefined;
  /**
   * The event as the destination gets it: without all that might have to be left out, where that is undecided. Undefined
   * where it gets each one whole.
   */
  readonly reshape: ((event: Event, budget: Budget) => Event) | undefined;
}

type NoteUndecided = (filter: Filter, event: Event) => void;

/**
 * Filters whose condition holds act in this order, whatever theirs: sample, drop, drop fields, allow fields. Conditions
 * see the event as it came. A `delete` passes whole: it is a notice of Waybill, and no event of a source (HOOK-16).
 */
export function chainOf(filters: readonly ReadFilter[], undecided: Pick<Undecided, 'add'>): FilterChain {
  const note: NoteUndecided = ({ name }, event) => undecided.add('filter', name, event.receivedAt);
  const isReadable = filters.every(({ condition }) => condition !== undefined);
  const admitting = filters.filter((filter) => filter.admitting.length > 0);
  const reshaping = filters.filter((filter) => filter.reshaping.length > 0);
  return {
    admits: isReadable ? admittingChain(admitting, note) : (event) => event.type === 'delete',
    reshape: reshapingChain(reshaping, note),
  };
}

function admittingChain(filters: readonly ReadFilter[], note: NoteUndecided): FilterChain['admits'] {
  if (filters.length === 0) return undefined;
  const lets = (one: ReadFilter, event: Event, budget: Budget): boolean => {
    const isIn = decided(() => !holdsFor(one, event, budget) || passes(one, event, budget));
    if (isIn === 'undecided') note(one.filter, event);
    return isIn === true;
  };
  return (event, budget) => event.type === 'delete' || filters.every((one) => lets(one, event, budget));
}

function reshapingChain(filters: readonly ReadFilter[], note: NoteUndecided): FilterChain['reshape'] {
  if (filters.length === 0) return undefined;
  const acts = (one: ReadFilter, event: Event, budget: Budget): boolean => {
    const isActing = decided(() => holdsFor(one, event, budget));
    if (isActing === 'undecided') note(one.filter, event);
    return isActing !== false;
  };
  return (event, budget) => {
    if (event.type === 'delete') return event;
    const acting = filters.filter((one) => acts(one, event, budget));
    const actions = acting.flatMap((one) => one.reshaping);
    const shaped = decided(() => reshape(event, actions, budget));
    if (shaped !== 'undecided') return shaped;
    for (const { filter } of acting) note(filter, event);
    return withoutGroups(event, actions);
  };
}

/** One that cannot be read any more might hold: of an event that was stored before, what it lists is held back too. */
function holdsFor({ condition }: ReadFilter, event: Event, budget: Budget): boolean {
  return condition === undefined || holds(condition, event, budget);
}

/** Whether the filter, now that its condition holds, lets the event go to the destination. */
function passes({ admitting, filter }: ReadFilter, event: Event, budget: Budget): boolean {
  return admitting.every((action) => action.type === 'sample_event' && isSampled(event, action, filter.name, budget));
}

function reshape(event: Event, actions: readonly Reshaping[], budget: Budget): Event {
  const listsOf = (wanted: Reshaping['kind']): readonly FieldLists[] =>
    actions.filter(({ kind }) => kind === wanted).map(({ lists }) => lists);
  const left = listsOf('leave out').reduce((now, lists) => withoutFields(now, lists, budget), event);
  return listsOf('send only').reduce((now, lists) => onlyFields(now, lists, budget), left);
}
