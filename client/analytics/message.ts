import { type Fields, isFields, POSITIONS } from './calls.ts';
import { LIBRARY } from './library.ts';
import { newMessageId } from './message-id.ts';
import { Refusal, wrong } from './result.ts';
import { timestampText } from './timestamp.ts';
import type { CallType, Message } from './wire.ts';
import { type WritesItself, writesItself } from './writes-itself.ts';

const MAX_MESSAGE_ID = 100;
const MESSAGE_ID = `a text of 1 to ${MAX_MESSAGE_ID} characters`;

/** Every message has its id from the call on, so that the server knows a repeated one. */
export type IdentifiedMessage = Message & { messageId: string };

/**
 * The message that a call stands for, or a thrown `Refusal`. What the server would drop is refused here, where the
 * caller still sees it. Only the outermost objects are new; the values in them are the caller's until they are written
 * as JSON, within the same call.
 */
export function messageOf(type: CallType, given: Fields, now: number): IdentifiedMessage {
  const { messageId, timestamp, context, integrations } = given;
  return {
    type,
    messageId: isGiven(messageId) ? filledText('messageId', messageId, MESSAGE_ID, MAX_MESSAGE_ID) : newMessageId(),
    timestamp: timestampText(timestamp ?? new Date(now)),
    ...ownFields(type, given),
    context: { library: LIBRARY, ...fieldsOf('context', context) },
    ...(isGiven(integrations) && { integrations: fieldsOf('integrations', integrations) }),
  };
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
    throw new Refusal(`${type} needs a userId or an anonymousId`);
  }
  return own;
}

/** An id as text; empty text is no id. A number beyond 2^53 is not the number that was written. */
function idOf(field: string, value: unknown): string | undefined {
  if (typeof value === 'number' && Math.abs(value) <= Number.MAX_SAFE_INTEGER) return String(value);
  return textOf(field, value, 'a text or a number up to 2^53');
}

function requiredId(field: string, value: unknown): string {
  const id = idOf(field, value);
  if (id === undefined) throw new Refusal(`${field} is missing or empty`);
  return id;
}

function eventOf(field: string, value: unknown): string {
  return filledText(field, value, 'a text that is not empty');
}

/** Empty text is left out: the server takes it for no name. */
function textOf(field: string, value: unknown, wanted = 'a text'): string | undefined {
  return isGiven(value) && value !== '' ? filledText(field, value, wanted) : undefined;
}

function filledText(field: string, value: unknown, wanted: string, most = Infinity): string {
  if (typeof value === 'string' && value !== '' && value.length <= most) return value;
  throw wrong(field, wanted, value);
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
    throw new Refusal(`${field} has a toJSON that throws`, 'unserializable');
  }
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}
