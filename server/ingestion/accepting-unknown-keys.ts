import type { Call, Handler } from '../http/contract.ts';
import type { UnknownKeys } from '../losses/unknown-keys.ts';
import { UnknownWriteKey } from './caller.ts';

/** How a call with an unknown key is answered as if it had been kept, and how many events it brought. */
interface Outcome<Operation, Caller> {
  readonly answer: Awaited<ReturnType<Handler<Operation, Caller>>>;
  readonly eventsIn: (call: Call<Operation, Caller>) => number;
}

/**
 * A handler that answers calls with an unknown write key as accepted, and counts their events, where there is something
 * that counts them (D-41). Bodies that are
 * malformed or too large never get this far, and a call without a key stays refused: no fleet sends that.
 */
export function acceptingUnknownKeys<Operation, Caller>(
  unknownKeys: Pick<UnknownKeys, 'add'> | undefined,
  handle: Handler<Operation, Caller>,
  { answer, eventsIn }: Outcome<Operation, Caller>,
): Handler<Operation, Caller> {
  if (unknownKeys === undefined) return handle;
  return async (call) => {
    try {
      return await handle(call);
    } catch (error) {
      if (!(error instanceof UnknownWriteKey)) throw error;
      unknownKeys.add(error.key, eventsIn(call));
      return answer;
    }
  };
}
