import { inTurn, type Turns } from '../evaluation/turns.ts';
import type { FilterChain } from '../filters/chain.ts';
import { createFilters, type Filters } from '../filters/filters.ts';
import type { Clock } from '../ports/clock.ts';
import type { ConfigStore, Resources, Row } from '../storage/config-store.ts';
import type { Acceptance, Claim } from '../model/delivery.ts';
import type { DeliveryStorage } from '../storage/delivery-storage.ts';
import type { Event, Message } from '../model/message.ts';
import type { Undecided } from '../losses/undecided-port.ts';
import { publishedName, routes } from './route.ts';
import { countUndeliverable, type UndeliverablePorts } from './undeliverable.ts';

/** Events of one source that arrived together. */
export interface Arrival {
  /** Full resource name of the source. */
  readonly source: string;
  readonly events: readonly Event[];
}

export interface Receipt {
  readonly accepted: number;
  /** Known messageIds: nothing more was stored for them (D-43). */
  readonly duplicates: number;
}

/** The way into the router. */
export interface Intake {
  /**
   * Resolves once all events of the arrival are on disk (ING-10), each with the destinations it goes to; an event that
   * goes nowhere is kept too, to know its messageId again. Rejects with StoreUnavailable when none is.
   */
  accept(arrival: Arrival): Promise<Receipt>;
}

/** What the intake needs of whoever sends deliveries. */
export interface Dispatcher {
  /** Whether a delivery to this destination can be tried at once; asked for each. Its place is kept until it is given. */
  takeRoom(destination: string): boolean;
  /** Gives back the places that were taken, one for each time a name stands here: the store has answered. */
  giveRoom(destinations: readonly string[]): void;
  /** Takes the deliveries that had room, now that they are stored. */
  deliver(claims: readonly Claim[]): void;
  /** Told that deliveries without room were stored, and are due. */
  wake(destination: string): void;
}

interface Ports extends UndeliverablePorts {
  readonly config: ConfigStore;
  readonly deliveries: DeliveryStorage;
  readonly dispatcher: Dispatcher;
  readonly undecided: Pick<Undecided, 'add'>;
  readonly turns: Turns;
  readonly clock: Clock;
}

export function createIntake({ config, deliveries, dispatcher, undecided, turns, clock, ...losses }: Ports): Intake {
  const count = countUndeliverable(losses);
  const filters = createFilters(config, undecided);
  return {
    async accept(arrival) {
      const all = await destinationsOf(config, arrival.source);
      const destinations = await filtered(all.filter(delivers), filters);
      const routed = await route(arrival.events, destinations, turns);
      const receivedAt = clock.steady();
      const acceptances = routed.map((one) => acceptance({ source: arrival.source, receivedAt }, one, dispatcher));
      const taken = acceptances.flatMap((one) => one.routes.filter(({ claimed }) => claimed));
      const stored = await deliveries
        .accept(acceptances)
        .finally(() => dispatcher.giveRoom(taken.map(({ destination }) => destination)));
      const claims = stored.flatMap((claimed) => (claimed === 'duplicate' ? [] : claimed));
      if (claims.length > 0) dispatcher.deliver(claims);
      for (const destination of waiting(acceptances, stored)) dispatcher.wake(destination);
      // Counted last: a request that could not be stored is sent again, and would count twice.
      if (destinations.length < all.length) {
        const kept = arrival.events.filter((_event, index) => stored[index] !== 'duplicate');
        count(arrival.source, kept, all);
      }
      const duplicates = stored.filter((claimed) => claimed === 'duplicate').length;
      return { accepted: stored.length - duplicates, duplicates };
    },
  };
}

/** A destination with its filters, which decide beside its switches what goes there. */
type Filtered = Resources['destinations'] & Pick<FilterChain, 'admits'>;

function filtered(destinations: readonly Resources['destinations'][], filters: Filters): Promise<Filtered[]> {
  return Promise.all(
    destinations.map(async (destination) => ({ ...destination, admits: (await filters(destination.name)).admits })),
  );
}

interface Routed {
  readonly event: Event;
  readonly to: readonly string[];
}

/** Filters are asked of one event and one destination after the other, so that others get their turn between (SAFE-2). */
async function route(events: readonly Event[], destinations: readonly Filtered[], turns: Turns): Promise<Routed[]> {
  const filtersOf = new Map(destinations.map(({ name, admits }) => [name, admits]));
  const routed: Routed[] = [];
  for (const event of events) {
    const to: string[] = [];
    for (const name of routes(event, destinations)) {
      const admits = filtersOf.get(name);
      if (admits === undefined || (await inTurn(turns, (budget) => admits(event, budget)))) to.push(name);
    }
    routed.push({ event, to });
  }
  return routed;
}

/** From here to the answer of the store nothing may throw: the places that are taken have to be given back. */
function acceptance(
  { source, receivedAt }: Pick<Message, 'source' | 'receivedAt'>,
  { event, to }: Routed,
  dispatcher: Dispatcher,
): Acceptance {
  return {
    message: { source, receivedAt, event },
    routes: to.map((destination) => ({ destination, claimed: dispatcher.takeRoom(destination) })),
  };
}

/** The destinations for which something was stored that nobody has taken. */
function waiting(acceptances: readonly Acceptance[], stored: readonly (readonly Claim[] | 'duplicate')[]): Set<string> {
  const names = new Set<string>();
  for (const [index, { routes: routed }] of acceptances.entries()) {
    if (stored[index] === 'duplicate') continue;
    for (const { destination, claimed } of routed) if (!claimed) names.add(destination);
  }
  return names;
}

/** The most that one call of the store is asked for; a source with more destinations takes a further call. */
const PAGE = 1_000;

/** Read for each arrival, so that a change holds for the next event (CFG-11, D-13). */
async function destinationsOf(config: ConfigStore, source: string): Promise<Resources['destinations'][]> {
  const found: Resources['destinations'][] = [];
  let rows: readonly Row<Resources['destinations']>[] = [];
  do {
    rows = await config.list('destinations', source, { after: rows.at(-1)?.sequence ?? 0, limit: PAGE });
    found.push(...rows.map(({ resource }) => resource));
  } while (rows.length === PAGE);
  return found;
}

function delivers({ name }: Resources['destinations']): boolean {
  return publishedName(name) !== undefined;
}
