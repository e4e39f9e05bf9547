import type { Stop } from '../fault-script/behavior.ts';
import { silence } from '../in-process/silence.ts';
import { networkError } from './network-error.ts';

const BODY = 'This answer has a first half, and it has a second half as well.\n';

/** The first half of a body whose length was promised; then silence, or the end of the connection. */
export function halfAnswer(
  manner: Stop['manner'],
  closed: AbortSignal,
): { body: AsyncIterable<Uint8Array>; length: number } {
  return { body: half(manner, closed), length: BODY.length };
}

async function* half(manner: Stop['manner'], closed: AbortSignal): AsyncGenerator<Uint8Array> {
  yield Buffer.from(BODY.slice(0, BODY.length / 2));
  if (manner === 'silence') await silence(closed);
  throw networkError('reset');
}
