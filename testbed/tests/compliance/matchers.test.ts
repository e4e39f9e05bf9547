import { expect, test } from 'vitest';
import { deliveryMatchers } from '../../vitest/index.ts';
import { sign } from '../../../client/webhooks/signature.ts';
import { createReceiver } from '../../index.ts';
import { post } from '../support/posting.ts';
import { endOf, observe, SECRET, STATIC } from '../support/sender.ts';

expect.extend(deliveryMatchers);

const FLAKY = { script: '503x2,200', events: 7, hours: 2 };

test('a receiver that got what it wanted satisfies all matchers', async () => {
  const sent = await observe(FLAKY);
  expect(sent).toHaveDelivered({ type: 'track', event: 'Größe/gewählt ✓', count: 1, headers: STATIC });
  expect(sent).toMatchRetrySchedule({ until: endOf(FLAKY) });
  await expect(sent).toBeSignedWith(SECRET);
});

test('a message names what was wanted, what came, and how it ended', async () => {
  const sent = await observe({ ...FLAKY, script: '503 x*', events: 1, hours: 1 });
  expect(() => expect(sent).toHaveDelivered({ type: 'identify', count: 2 })).toThrow(
    /0 of 2 identify delivered\n {2}other requests: #1 \(track m1\), /,
  );
  expect(() => expect(sent).toHaveDelivered()).toThrow(/not accepted: #1 \(track m1\): http_5xx, http_5xx/);
  expect(() => expect([]).toHaveDelivered()).toThrow('nothing arrived at all');
});

test('a message tells the wait that was, and the wait that the schedule says', async () => {
  const sent = await observe(FLAKY, { policy: { firstWaitMs: 40_000 } });
  expect(() => expect(sent).toMatchRetrySchedule()).toThrow(
    /#2 \(track m1\) came \d+(\.\d)? s after attempt 1 had ended; the schedule says 5 s to 10 s/,
  );
});

test('a message of a signature is what the doctor says, without the secret', async () => {
  await using receiver = await createReceiver({ secret: SECRET });
  const body = '{"type":"track"}';
  await post(receiver.url, body, { 'X-Signature': (await sign(SECRET, body)).toUpperCase() });
  await expect(expect(receiver).toBeSignedWith(SECRET)).rejects.toThrow(
    'the hex is in upper case; write it in lower case',
  );
  await expect(expect(receiver).toBeSignedWith('another')).rejects.toThrow('#1 (track) has a signature');
  await expect(expect(receiver).toBeSignedWith(null)).rejects.toThrow('#1 (track) is signed');
});

test('values of static headers stay out of messages', async () => {
  const sent = await observe({ ...FLAKY, script: '200' });
  const headers = { 'X-Team': 'very-secret-value' };
  expect(() => expect(sent).toHaveDelivered({ headers })).toThrow(/^(?!.*very-secret-value).*$/s);
});

test('where nothing arrived, no matcher is satisfied', async () => {
  await using receiver = await createReceiver({ secret: SECRET });
  expect(() => expect(receiver).toHaveDelivered()).toThrow('nothing arrived at all');
  expect(() => expect(receiver).toMatchRetrySchedule()).toThrow('nothing arrived at all');
  await expect(expect(receiver).toBeSignedWith(SECRET)).rejects.toThrow('nothing arrived at all');
});

test('an event whose window is over is told with the time that its body gives', async () => {
  await using receiver = await createReceiver();
  for (const receivedAt of ['2026-01-02T03:04:05.000Z', new Date().toISOString()])
    await post(receiver.url, JSON.stringify({ type: 'track', messageId: receivedAt, receivedAt }));
  expect(() => expect(receiver).toMatchRetrySchedule()).toThrow(
    /#1 .* after its window had ended: its body says that it was accepted at 2026-01-02T03:04:05\.000Z$/,
  );
});

test('each matcher can be turned round', async () => {
  const sent = await observe({ ...FLAKY, script: '200' });
  expect(sent).not.toHaveDelivered({ type: 'merge' });
  expect(() => expect(sent).not.toHaveDelivered()).toThrow('Expected something wrong with the deliveries');
});

test('something that is neither receiver nor requests is refused', () => {
  expect(() => expect('nothing').toHaveDelivered()).toThrow('neither a receiver nor a list');
});

test('a wish for what no request has is refused', () => {
  const wish: object = { tpye: 'track' };
  expect(() => expect([]).toHaveDelivered(wish)).toThrow('toHaveDelivered has no tpye; did you mean type?');
});
