import { givenFields } from './calls.ts';
import { lossesIn } from './losses.ts';
import { messageOf } from './message.ts';
import { type CallResult, Refusal, type RefusalReason } from './result.ts';
import { serialize } from './serialize.ts';
import type { CallType, Message } from './wire.ts';

export type Prepared =
  | {
      readonly ok: true;
      readonly messageId: string;
      readonly json: string;
      readonly bytes: number;
      /** What JSON could not keep of the values, for a warning. */
      readonly losses: readonly string[];
      readonly onSettled: ((result: CallResult) => void) | undefined;
    }
  | { readonly ok: false; readonly reason: RefusalReason; readonly message: string };

/** From the arguments of a call to the text that is sent. Whatever the caller's objects do, this does not throw. */
export function prepare(type: CallType, args: readonly unknown[], now: number, newId: () => string): Prepared {
  try {
    const given = givenFields(type, args);
    const message = messageOf(type, given, now, newId);
    const { json, bytes } = serialize(message);
    const onSettled = onSettledOf(given['onSettled']);
    return { ok: true, messageId: message.messageId, json, bytes, losses: lossesOf(message), onSettled };
  } catch (error) {
    if (error instanceof Refusal) return { ok: false, reason: error.reason, message: error.message };
    return { ok: false, reason: 'unserializable', message: 'reading the fields of the call threw an error' };
  }
}

function onSettledOf(value: unknown): ((result: CallResult) => void) | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'function') throw new Refusal('invalid_message', 'onSettled must be a function');
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what a function takes cannot be seen at run time
  return value as (result: CallResult) => void;
}

/** The message was written; a getter that throws the second time changes nothing about that. */
function lossesOf(message: Message): readonly string[] {
  try {
    return lossesIn(message);
  } catch {
    return [];
  }
}
