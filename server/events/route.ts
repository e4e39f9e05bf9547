import { inTurn, type Turns, turnsOf } from '../fairness/turns.ts';
import type { Route, SourceView } from '../directory/source-view.ts';
import type { Event, JsonObject } from '../model/message.ts';

/** An event with the full names of the destinations that it goes to: none is a place too, to know its messageId again. */
export interface Routed {
  /** Full resource name of the source. */
  readonly source: string;
  readonly event: Event;
  readonly to: readonly string[];
}

/** Each event goes to the destinations of its source that it does not switch off, and whose filters let it through. */
export function route(source: SourceView, events: readonly Event[], turns: Turns): Routed[] | Promise<Routed[]> {
  const { name, routes } = source;
  const isFiltered = routes.some(({ admits }) => admits !== undefined);
  if (isFiltered) return filtered(source, events, turns);
  return events.map((event) => ({ source: name, event, to: wantedBy(event, routes).map(destinationOf) }));
}

/** Filters are asked of one event and one destination after the other, so that others get their turn between (SAFE-2). */
async function filtered(source: SourceView, events: readonly Event[], turns: Turns): Promise<Routed[]> {
  const { name, routes, workspace } = source;
  const own = turnsOf(turns, workspace);
  const routed: Routed[] = [];
  for (const event of events) {
    const to: string[] = [];
    for (const { destination, admits } of wantedBy(event, routes)) {
      if (admits === undefined || (await inTurn(own, (budget) => admits(event, budget)))) to.push(destination);
    }
    routed.push({ source: name, event, to });
  }
  return routed;
}

function wantedBy({ integrations }: Event, routes: readonly Route[]): readonly Route[] {
  return integrations === undefined ? routes : routes.filter(({ calledAs }) => isWanted(calledAs, integrations));
}

function destinationOf({ destination }: Route): string {
  return destination;
}

/**
 * What the sender says of a destination by the first of its names decides (D-11); if nothing by any, what it says of all,
 * however spelled (D-45); if nothing, yes (S 4.4).
 */
export function isWanted(calledAs: readonly string[], integrations: JsonObject | undefined): boolean {
  if (integrations === undefined) return true;
  for (const name of calledAs) {
    const own = switchOf(integrations, name);
    if (own !== undefined) return own;
  }
  return switchOf(integrations, 'all') !== false && switchOf(integrations, 'All') !== false;
}

/** Options for a destination, an object, switch it on; what is neither a boolean nor an object says nothing. */
function switchOf(integrations: JsonObject, key: string): boolean | undefined {
  const value = Object.hasOwn(integrations, key) ? integrations[key] : undefined;
  if (typeof value === 'boolean') return value;
  return typeof value === 'object' && value !== null ? true : undefined;
}
