import type { Acceptance, Route } from '../../../model/delivery.ts';
import { type Fingerprint, fingerprintOf, toBytes } from '../../fingerprint.ts';
import type { AcceptRequest } from '../../delivery-storage.ts';
import type { Names } from '../names.ts';
import type { DatabaseTime } from '../time.ts';
import type { AcceptValues, CaughtValues } from './accept-statement.ts';
import { storable } from '../../../model/json-values.ts';
import { numbers } from './columns.ts';
import type { Holder } from './life.ts';

/** A message that is to be stored. */
export interface NewMessage {
  readonly acceptance: Acceptance;
  readonly source: number;
  /** Source and message id: one for each message. */
  readonly identity: string;
  readonly fingerprint: Fingerprint;
  /** The event as JSON; empty where it goes nowhere. */
  readonly text: string;
}

/** A request that waits for its turn. */
export interface NewRequest {
  readonly request: AcceptRequest;
  readonly messages: readonly NewMessage[];
}

/** Once all names have a number. */
export function newRequest(request: AcceptRequest, names: Names): NewRequest {
  const messages = request.acceptances.map((acceptance) => {
    const { message, routes } = acceptance;
    const { messageId } = message.event;
    const source = names.idOf(message.source);
    const text = routes.length === 0 ? '' : JSON.stringify(message.event);
    const fingerprint = fingerprintOf(source, messageId);
    return { acceptance, source, identity: `${source} ${messageId}`, fingerprint, text };
  });
  return { request, messages };
}

/** A message in its place, with the ids that it gets if it is new. */
export interface PlacedMessage {
  readonly message: NewMessage;
  /** The place of the configuration by which it was routed. */
  readonly routing: number;
  /** One for each of its routes; the first is that of the message too. */
  readonly ids: readonly number[];
}

export interface Routing {
  readonly workspace: string;
  readonly version: number;
}

export interface Gathered {
  readonly commit: number;
  readonly holder: Holder | undefined;
  readonly knownUntil: number;
  readonly routings: readonly Routing[];
  readonly messages: readonly PlacedMessage[];
  /** Of the server that gave the numbers, and of which is known what it has. */
  readonly timeline: number;
}

/** The values of the statement that stores it. */
export function columnsOf(gathered: Gathered, names: Names, time: DatabaseTime): AcceptValues {
  const { commit, holder, knownUntil, routings, messages } = gathered;
  return {
    node: holder?.id ?? null,
    epoch: holder?.epoch ?? null,
    commit,
    knownUntil,
    fingerprints: toBytes(messages.map(({ message }) => message.fingerprint)),
    workspaces: routings.map(({ workspace }) => workspace),
    versions: numbers(routings.map(({ version }) => version)),
    routings: numbers(messages.map(({ routing }) => routing)),
    ...messageColumns(messages),
    ...deliveryColumns(messages, names, time),
  };
}

type MessageColumn = 'messagePlaces' | 'messageIds' | 'sources' | 'messageTimes' | 'starts' | 'lengths';

/** Of those that go somewhere. */
function messageColumns(messages: readonly PlacedMessage[]): Pick<AcceptValues, MessageColumn | 'events'> {
  const places: number[] = [];
  const stored = messages.filter(({ ids }, index) => ids.length > 0 && places.push(index + 1) > 0);
  const { bytes, starts, lengths } = joined(stored.map(({ message }) => message.text));
  return {
    events: bytes,
    messagePlaces: numbers(places),
    messageIds: numbers(stored.map(({ ids }) => ids[0] ?? 0)),
    sources: numbers(stored.map(({ message }) => message.source)),
    messageTimes: numbers(stored.map(({ message }) => acceptedAt(message))),
    starts: numbers(starts),
    lengths: numbers(lengths),
  };
}

/** Undefined where audiences have no use for any of them. */
export function caughtColumns(messages: readonly PlacedMessage[]): CaughtValues | undefined {
  const caught = messages.flatMap(({ message }, index) => {
    const { caught: text } = message.acceptance;
    return text === undefined ? [] : [{ place: index + 1, source: message.source, text }];
  });
  if (caught.length === 0) return undefined;
  const { bytes, starts, lengths } = joined(caught.map(({ text }) => text));
  return {
    caughtPlaces: numbers(caught.map(({ place }) => place)),
    caughtSources: numbers(caught.map(({ source }) => source)),
    caught: bytes,
    caughtStarts: numbers(starts),
    caughtLengths: numbers(lengths),
  };
}

/** Texts in one piece, and where each of them is, from 1 on. */
function joined(texts: readonly string[]): {
  readonly bytes: Buffer;
  readonly starts: readonly number[];
  readonly lengths: readonly number[];
} {
  const [starts, lengths]: [number[], number[]] = [[], []];
  let start = 1;
  for (const text of texts) {
    const length = Buffer.byteLength(text);
    starts.push(start);
    lengths.push(length);
    start += length;
  }
  return { bytes: Buffer.from(texts.join('')), starts, lengths };
}

type DeliveryColumn = Exclude<
  keyof AcceptValues,
  | MessageColumn
  | 'node'
  | 'epoch'
  | 'commit'
  | 'knownUntil'
  | 'events'
  | 'fingerprints'
  | 'workspaces'
  | 'versions'
  | 'routings'
>;

function deliveryColumns(
  messages: readonly PlacedMessage[],
  names: Names,
  time: DatabaseTime,
): Pick<AcceptValues, DeliveryColumn> {
  const all = messages.flatMap(({ message, ids }, index) =>
    message.acceptance.routes.map((route, at) => ({
      message,
      first: ids[0] ?? 0,
      place: index + 1,
      id: ids[at] ?? 0,
      route,
    })),
  );
  const events = all.map(({ message }) => message.acceptance.message.event);
  return {
    places: numbers(all.map(({ place }) => place)),
    ids: numbers(all.map(({ id }) => id)),
    messages: numbers(all.map(({ first }) => first)),
    destinations: numbers(all.map(({ route }) => names.idOf(route.destination))),
    claimed: numbers(all.map(({ route }) => isTaken(route))),
    receivedAt: numbers(all.map(({ message }) => acceptedAt(message))),
    windowFrom: numbers(all.map(({ message }) => time.toDatabase(message.acceptance.message.receivedAt))),
    bytes: numbers(all.map(({ message }) => message.text.length)),
    types: events.map(({ type }) => type),
    names: events.map(({ event = '' }) => storable(event)),
    users: events.map(({ userId = '' }) => storable(userId)),
    lines: numbers(all.map(({ route: { line = null } }) => line)),
  };
}

/** What is in a line is left to claims: others may be storing something before it. */
export function isTaken({ claimed, line }: Route): boolean {
  return claimed && line === undefined;
}

/** By the wall, as the event itself has it. */
function acceptedAt({ acceptance }: NewMessage): number {
  return Date.parse(acceptance.message.event.receivedAt);
}
