import type { Event } from '../../server/model/message.ts';

const MARK = '"messageId":"bench-';

const TEXT = 'x'.repeat(640);

/** The message id of an event that a receiver finds its number in. */
export function messageIdOf(number: number): string {
  return `bench-${number}`;
}

/** An event as an SDK sends it, whose webhook body is about one KB. */
export function numberedCall(number: number): Readonly<Record<string, unknown>> {
  return {
    type: 'track',
    messageId: messageIdOf(number),
    userId: `user-${number % 1000}`,
    event: `Bench ${number % 10}`,
    properties: { index: number, text: TEXT },
    context: {},
  };
}

/** The same event as the router stores it. */
export function numberedEvent(number: number): Event {
  const time = new Date(1_700_000_000_000 + number).toISOString();
  const properties = { index: number, text: TEXT };
  const ids = { messageId: messageIdOf(number), userId: `user-${number % 1000}` };
  return { type: 'track', ...ids, event: 'Bench', properties, context: {}, timestamp: time, receivedAt: time };
}

/** The number in the body of a webhook; NaN when there is none. */
export function numberOf(body: Buffer): number {
  const at = body.indexOf(MARK);
  if (at < 0) return NaN;
  const start = at + MARK.length;
  return Number(body.toString('latin1', start, body.indexOf(0x22, start)));
}
