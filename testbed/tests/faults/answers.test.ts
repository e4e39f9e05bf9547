import { expect, test } from 'vitest';
import { createReceiver } from '../../index.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { event, failureOf, post, statuses } from '../support/posting.ts';
import { rawClient, requestText } from '../support/raw-client.ts';

const BODY = event('track');

test('without a script every request gets an empty 200', async () => {
  await using receiver = await createReceiver();
  expect(await post(receiver.url, BODY)).toMatchObject({ status: 200, body: '' });
});

test('every status from 200 to 599 can be answered', async () => {
  const all = Array.from({ length: 400 }, (_, at) => 200 + at);
  await using receiver = await createReceiver({ script: all.map((status) => ({ status })) });
  using client = rawClient(receiver.url);
  for (const status of all) {
    client.send(requestText(BODY));
    await client.until(`HTTP/1.1 ${status} `);
  }
  expect(client.seen().match(/HTTP\/1\.1 \d{3} /g)).toHaveLength(400);
});

test('a script answers request after request', async () => {
  await using receiver = await createReceiver({ script: '503x2,429,200' });
  expect(await statuses(receiver.url, [BODY, BODY, BODY, BODY, BODY])).toEqual([503, 503, 429, 200, 200]);
});

test('steps are matched to events by their type', async () => {
  await using receiver = await createReceiver({ script: 'track:503x2,200' });
  const bodies = ['identify', 'track', 'page', 'track', 'track'].map((type) => event(type));
  expect(await statuses(receiver.url, bodies)).toEqual([200, 503, 200, 503, 200]);
});

test('headers and body are sent as written', async () => {
  await using receiver = await createReceiver({
    script: [{ status: 400, headers: { 'X-Why': 'ä', 'content-type': 'application/json' }, body: '{"é":1}' }],
  });
  const { headers, body } = await post(receiver.url, BODY);
  expect(headers.get('x-why')).toBe('ä');
  expect(headers.get('content-type')).toBe('application/json');
  expect(headers.get('content-length')).toBe('8');
  expect(body).toBe('{"é":1}');
});

test('Retry-After comes in seconds and as a date', async () => {
  const clock = new ManualClock(Date.UTC(2026, 10, 20, 12, 0, 0, 250));
  await using receiver = await createReceiver({ clock, script: '429+retry-after:90s,429+retry-after-date:90s' });
  expect((await post(receiver.url, BODY)).headers.get('retry-after')).toBe('90');
  const { headers } = await post(receiver.url, BODY);
  expect(headers.get('date')).toBe('Fri, 20 Nov 2026 12:00:00 GMT');
  // Rounded up to the second: never earlier than the script says.
  expect(headers.get('retry-after')).toBe('Fri, 20 Nov 2026 12:01:31 GMT');
});

test('Retry-After can be past, absurd or no time at all', async () => {
  const values = ['-5', '99999999999', 'soon', 'Wed, 21 Oct 2015 07:28:00 GMT'];
  await using receiver = await createReceiver({
    script: values.map((value) => ({ status: 429, headers: { 'Retry-After': value } })),
  });
  const seen: (string | null)[] = [];
  for (const _ of values) seen.push((await post(receiver.url, BODY)).headers.get('retry-after'));
  expect(seen).toEqual(values);
});

test.each([301, 302, 303, 307, 308])('a redirect with %i goes where the script says', async (status) => {
  await using receiver = await createReceiver({ script: [{ status, to: 'http://169.254.169.254/' }] });
  const answered = await post(receiver.url, BODY);
  expect(answered.status).toBe(status);
  expect(answered.headers.get('location')).toBe('http://169.254.169.254/');
});

test('a redirect to self is a loop that the receiver sees', async () => {
  await using receiver = await createReceiver({ script: '307+to:self' });
  expect((await post(`${receiver.url}/a?b`, BODY)).headers.get('location')).toBe(`${receiver.url}/a?b`);
  const following = fetch(`${receiver.url}/a?b`, { method: 'POST', body: BODY });
  expect(await failureOf(following)).toContain('redirect count exceeded');
  expect(receiver.received.length).toBeGreaterThan(10);
});

test.each([204, 205, 304])('an answer with %i has no body', async (status) => {
  await using receiver = await createReceiver({ script: [{ status }] });
  using client = rawClient(receiver.url);
  client.send(requestText(BODY, ['Connection: close']));
  await client.ended;
  expect(client.seen()).toMatch(/\r\n\r\n$/);
});

test('chance decides over real sockets as it does in the player', async () => {
  const [first, again, other] = [await course(1), await course(1), await course(2)];
  expect(again).toEqual(first);
  expect(other).not.toEqual(first);
  expect(new Set(first)).toEqual(new Set([200, 503]));
});

async function course(seed: number): Promise<readonly number[]> {
  await using receiver = await createReceiver({ seed, script: '503+50% x*,200' });
  return await statuses(
    receiver.url,
    Array.from({ length: 30 }, () => BODY),
  );
}
