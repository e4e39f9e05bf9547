import { type Fields, isFields } from './calls.ts';
import { LIBRARY } from './library.ts';
import { Refusal } from './result.ts';
import { timestampText } from './timestamp.ts';
import type { CallType, Message } from './wire.ts';
import { type WritesItself, writesItself } from './writes-itself.ts';

const MAX_MESSAGE_ID = 100;

/** Every message has its id from the call on, so that the server knows a repeated one. */
export type IdentifiedMessage = Message & { messageId: string };

/**
 * The message that a call stands for, or a thrown `Refusal`. What the server would drop is refused here, where the
 * caller still sees it. Only the outermost objects are new; the values in them are the caller's until they are written
 * as JSON, within the same call.
 */
export function messageOf(type: CallType, given: Fields, now: number, newId: () => string): IdentifiedMessage {
  const { timestamp, context, integrations } = given;
  const message: IdentifiedMessage = {
    type,
    messageId: messageIdOf(given['messageId'], newId),
    timestamp: isGiven(timestamp) ? timestampText(timestamp) : new Date(now).toISOString(),
  };
  OWN_FIELDS[type](message, given);
  message.context = { library: LIBRARY, ...fieldsOf('context', context) };
  if (isGiven(integrations)) message.integrations = fieldsOf('integrations', integrations);
  return message;
}

const OWN_FIELDS: Readonly<Record<CallType, (message: Message, given: Fields) => void>> = {
  identify: (message, given) => {
    addWho(message, given);
    message.traits = fieldsOf('traits', given['traits']);
  },
  track: (message, given) => {
    addWho(message, given);
    message.event = eventOf(given['event']);
    message.properties = fieldsOf('properties', given['properties']);
  },
  page: addView,
  screen: addView,
  group: (message, given) => {
    addWho(message, given);
    message.groupId = requiredId('groupId', given['groupId']);
    message.traits = fieldsOf('traits', given['traits']);
  },
  alias: (message, given) => {
    message.previousId = requiredId('previousId', given['previousId']);
    message.userId = requiredId('userId', given['userId']);
  },
};

function addView(message: Message, given: Fields): void {
  addWho(message, given);
  const category = textOf('category', given['category']);
  const name = textOf('name', given['name']);
  if (category !== undefined) message.category = category;
  if (name !== undefined) message.name = name;
  message.properties = fieldsOf('properties', given['properties']);
}

function addWho(message: Message, given: Fields): void {
  const userId = idOf('userId', given['userId']);
  const anonymousId = idOf('anonymousId', given['anonymousId']);
  if (userId === undefined && anonymousId === undefined) {
    throw new Refusal('invalid_message', `${message.type} needs a userId or an anonymousId`);
  }
  if (userId !== undefined) message.userId = userId;
  if (anonymousId !== undefined) message.anonymousId = anonymousId;
}

/** An id as text; empty text is no id. A number beyond 2^53 is not the number that was written. */
function idOf(field: string, value: unknown): string | undefined {
  if (!isGiven(value) || value === '') return undefined;
  if (typeof value === 'string') return value;
  if (typeof value === 'number' && Math.abs(value) <= Number.MAX_SAFE_INTEGER) return String(value);
  throw wrong(field, 'a text or a number up to 2^53', value);
}

function requiredId(field: string, value: unknown): string {
  const id = idOf(field, value);
  if (id === undefined) throw new Refusal('invalid_message', `${field} is missing or empty`);
  return id;
}

function eventOf(value: unknown): string {
  if (typeof value === 'string' && value !== '') return value;
  throw wrong('event', 'a text that is not empty', value);
}

/** Empty text is left out: the server takes it for no name. */
function textOf(field: string, value: unknown): string | undefined {
  if (!isGiven(value) || value === '') return undefined;
  if (typeof value === 'string') return value;
  throw wrong(field, 'a text', value);
}

/** As JSON has it: what writes itself as a text, as a Date and a URL do, is no object for the server either. */
function fieldsOf(field: string, value: unknown): Fields {
  if (!isGiven(value)) return {};
  const written = isFields(value) && writesItself(value) ? writtenBy(field, value) : value;
  if (isFields(written)) return written;
  throw wrong(field, 'an object', written);
}

function writtenBy(field: string, value: WritesItself): unknown {
  try {
    return value.toJSON(field);
  } catch {
    throw new Refusal('unserializable', `${field} has a toJSON that throws`);
  }
}

function messageIdOf(value: unknown, newId: () => string): string {
  if (!isGiven(value)) return newId();
  if (typeof value === 'string' && value !== '' && value.length <= MAX_MESSAGE_ID) return value;
  throw wrong('messageId', `a text of 1 to ${MAX_MESSAGE_ID} characters`, value);
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

/** Names the kind and never the value: values are people's data, and refusals are logged. */
function wrong(field: string, wanted: string, value: unknown): Refusal {
  const kind = value === '' ? 'empty text' : Array.isArray(value) ? 'an array' : typeof value;
  return new Refusal('invalid_message', `${field} must be ${wanted}, got: ${kind}`);
}
