import { randomUUID } from 'node:crypto';
import type { CatchBatch, Catcher } from '../audiences/catch.ts';
import { RestingQueues } from '../fairness/resting-queues.ts';
import { Semaphore } from '../fairness/semaphore.ts';
import { Shares } from '../fairness/shares.ts';
import type { Clock } from '../ports/clock.ts';
import type { Acceptance, Claim } from '../model/delivery.ts';
import type { Accepted, AcceptRequest, DeliveryStorage } from '../storage/delivery-storage.ts';
import { StoreUnavailable } from '../storage/config-store.ts';
import { OutcomeUnknown } from '../storage/errors.ts';
import { lineOf } from '../model/line.ts';
import type { Routed } from './route.ts';

/** What acceptance needs of whoever sends deliveries. */
export interface Dispatcher {
  /** For one batch. Throws NotAMember where this router may hold nothing: then nothing may be stored (D-64). */
  admit(): Admission;
}

/** How a delivery begins. */
export interface Reservation {
  /** Whether it can be tried at once: then a place is kept for it. */
  readonly hasPlace: boolean;
  /** Whether its destination gets the events of each user in their order. */
  readonly isInOrder: boolean;
}

/** The places of one batch, in the memory of the life of this router in which it came. */
export interface Admission {
  /** To be called for each delivery. */
  reserve(destination: string): Reservation;
  /**
   * Storage has answered, or will not: gives the places back, takes the deliveries that had room, and hears for which
   * destinations some without room were stored, and are due.
   */
  end(claims: readonly Claim[], waiting: Iterable<string>): void;
}

export interface AcceptPorts {
  readonly deliveries: Pick<DeliveryStorage, 'accept'>;
  readonly dispatcher: Dispatcher;
  readonly clock: Pick<Clock, 'steady' | 'sleep'>;
  /** What is kept for profiles. */
  readonly catcher?: Catcher;
}

/**
 * The one way into storage: resolves once all of these events are on disk, in one transaction (ING-10), and those for which there is room
 * are on their way. Answers for each whether it is new: of a known messageId nothing more is stored (D-43). Rejects with
 * StoreUnavailable when nothing is stored, OutcomeUnknown when it may be, and StaleRouting when the configuration has changed since. `traceparent` is what their
 * request came with, for whoever traces them.
 */
export type Accept = (routed: readonly Routed[], by: Routing, traceparent?: string) => Promise<readonly boolean[]>;

/** The configuration by which events were routed. */
export interface Routing {
  /** Full name of the workspace. */
  readonly workspace: string;
  readonly version: number;
}

/**
 * Of so many deliveries an accept keeps the storage to itself for a while, and so do many accepts that have as many together: of a
 * workspace no more of these is begun while so much of them is under way …
 */
const WIDE = 500;
/** … and of those no more at once: what is narrow waits for these alone (SAFE-2). */
const WIDE_AT_ONCE = 2;
/** Deliveries that one request stores at once: other requests wait for the commit (SAFE-2). */
export const DELIVERIES_AT_ONCE = 5_000;

export function createAccept({ deliveries, dispatcher, clock, catcher }: AcceptPorts): Accept {
  const [narrow, wide, veryWide] = [new Shares(WIDE), new Semaphore(WIDE_AT_ONCE), new RestingQueues(clock)];
  const keys = createKeys();
  const store: Accept = async (routed, by) => {
    const receivedAt = clock.steady();
    const admission = dispatcher.admit();
    const caught = catcher?.begin(by.workspace);
    // From here to the answer of the store nothing may throw: the places that are kept have to be given back.
    const acceptances = routed.map((one) => acceptance(one, receivedAt, { admission, caught }));
    const stored = await asked(deliveries, { key: keys(), ...by, acceptances }).catch((error: unknown) => {
      admission.end([], []);
      throw error;
    });
    const claims = stored.flatMap((claimed) => (claimed === 'duplicate' ? [] : claimed));
    admission.end(claims, waiting(acceptances, stored));
    const isNew = stored.map((claimed) => claimed !== 'duplicate');
    caught?.stored(isNew);
    return isNew;
  };
  const accept: Accept = (routed, by) => {
    const { workspace } = by;
    const width = deliveriesOf(routed);
    if (width < WIDE) return narrow.run(() => store(routed, by), workspace, width);
    const inTurn = (): Promise<readonly boolean[]> => wide.run(() => store(routed, by), workspace);
    // One event alone cannot be stored in parts: its workspace rests before the next.
    return width > DELIVERIES_AT_ONCE ? veryWide.run(inTurn, workspace) : inTurn();
  };
  return accept;
}

/** One for each accept, whoever else stores in the same place: numbered, as to draw each would take longer. */
function createKeys(): () => string {
  const own = randomUUID();
  let last = 0;
  return () => `${own} ${(last += 1)}`;
}

function deliveriesOf(routed: readonly Routed[]): number {
  return routed.reduce((sum, { to }) => sum + to.length, 0);
}

/**
 * An answer that was lost is asked for once more: by its key the storage knows the batch again (D-63). Where it cannot be asked,
 * nobody knows still.
 */
function asked(deliveries: AcceptPorts['deliveries'], batch: AcceptRequest): Promise<Accepted> {
  return deliveries.accept(batch).catch((lost: unknown) => {
    if (!(lost instanceof OutcomeUnknown)) throw lost;
    return deliveries.accept(batch).catch((error: unknown) => {
      throw error instanceof StoreUnavailable ? lost : error;
    });
  });
}

interface Keeping {
  readonly admission: Admission;
  readonly caught: CatchBatch | undefined;
}

function acceptance({ source, event, to }: Routed, receivedAt: number, { admission, caught }: Keeping): Acceptance {
  const routes = to.map((destination) => {
    const { hasPlace: claimed, isInOrder } = admission.reserve(destination);
    const line = isInOrder ? lineOf(event) : undefined;
    return { destination, claimed, ...(line !== undefined && { line }) };
  });
  const message = { source, receivedAt, event };
  const kept = caught?.of(event);
  return kept === undefined ? { message, routes } : { message, routes, caught: kept };
}

/**
 * The destinations for which something was stored that nobody has taken. What was to be taken and was not is behind others of
 * its line, and is taken with their end.
 */
function waiting(acceptances: readonly Acceptance[], stored: Accepted): Set<string> {
  const names = new Set<string>();
  for (const [index, { routes }] of acceptances.entries()) {
    if (stored[index] === 'duplicate') continue;
    for (const { destination, claimed } of routes) if (!claimed) names.add(destination);
  }
  return names;
}
