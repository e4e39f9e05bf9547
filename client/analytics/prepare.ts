import { givenFields } from './calls.ts';
import { lossesIn } from './losses.ts';
import { messageOf } from './message.ts';
import { type CallResult, Refusal } from './result.ts';
import { serialize } from './serialize.ts';
import type { CallType, Message } from './wire.ts';

/** A message as it is sent. */
export interface Prepared {
  readonly messageId: string;
  readonly json: string;
  readonly bytes: number;
  /** What JSON could not keep of the values, for a warning. */
  readonly losses: readonly string[];
  readonly onSettled: ((result: CallResult) => void) | undefined;
}

/** From the arguments of a call to the text that is sent. Whatever the caller's objects do, this does not throw. */
export function prepare(type: CallType, args: readonly unknown[], now: number): Prepared | Refusal {
  try {
    const given = givenFields(type, args);
    const message = messageOf(type, given, now);
    const serialized = serialize(message);
    const onSettled = onSettledOf(given['onSettled']);
    return { messageId: message.messageId, ...serialized, losses: lossesOf(message), onSettled };
  } catch (error) {
    if (error instanceof Refusal) return error;
    return new Refusal('a field of the call throws', 'unserializable');
  }
}

function onSettledOf(value: unknown): ((result: CallResult) => void) | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'function') throw new Refusal('onSettled must be a function');
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
