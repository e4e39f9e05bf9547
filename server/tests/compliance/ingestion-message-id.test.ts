import { expect, test } from 'vitest';
import { newMessageId, openEnvelope } from '../../events/normalize-calls.ts';
import { normalize } from '../../events/normalize.ts';

test('D-43: a made messageId is api- and 27 letters and digits, each another', () => {
  const events = Array.from({ length: 100 }, () =>
    normalize({ type: 'identify', userId: 'u' }, openEnvelope({}, { receivedAt: 0 }), newMessageId),
  );
  const ids = events.map((event) => (typeof event === 'string' ? event : event.messageId));
  expect(ids.filter((id) => !/^api-[A-Za-z0-9]{27}$/.test(id))).toEqual([]);
  expect(new Set(ids).size).toBe(100);
});
