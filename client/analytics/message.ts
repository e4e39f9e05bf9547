import { type Fields, isFields, POSITIONS } from './calls.ts';
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
  Object.assign(message, ownFields(type, given));
  message.context = { library: LIBRARY, ...fieldsOf('context', context) };
  if (isGiven(integrations)) message.integrations = fieldsOf('integrations', integrations);
  return message;
}

type FieldName = (typeof POSITIONS)[CallType][number];

/** How each field that a call has by its position is read. */
const READERS: Readonly<Record<FieldName, (field: string, value: unknown) => unknown>> = {
  userId: idOf,
  previousId: requiredId,
  groupId: requiredId,
  event: eventOf,
  category: textOf,
  name: textOf,
  traits: fieldsOf,
  properties: fieldsOf,
};

/** What only a kind of call has. Fields that are undefined are left out of the JSON. */
function ownFields(type: CallType, given: Fields): Record<string, unknown> {
  const own: Record<string, unknown> = {};
  for (const name of POSITIONS[type]) own[name] = READERS[name](name, given[name]);
  if (type === 'alias') requiredId('userId', own['userId']);
  else own['anonymousId'] = idOf('anonymousId', given['anonymousId']);
  if (own['userId'] === undefined && own['anonymousId'] === undefined) {
    throw new Refusal('invalid_message', `${type} needs a userId or an anonymousId`);
  }
  return own;
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

function eventOf(field: string, value: unknown): string {
  if (typeof value === 'string' && value !== '') return value;
  throw wrong(field, 'a text that is not empty', value);
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
