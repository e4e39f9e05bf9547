import { expect, test } from 'vitest';
import { createReceiver } from '../../index.ts';
import { dripped, filler } from '../../receiver/filler.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { event, failureOf, nextEvent, post } from '../support/posting.ts';
import { rawClient, requestText } from '../support/raw-client.ts';

const BODY = event('track');

test('a delay is slept on the clock of the receiver', async () => {
  const clock = new ManualClock();
  await using receiver = await createReceiver({ clock, script: 'delay:6s' });
  let answered = false;
  const posting = post(receiver.url, BODY).finally(() => {
    answered = true;
  });
  await clock.asleepFor(6000);
  clock.advance(5999);
  expect([answered, clock.asleep]).toEqual([false, 1]);
  clock.advance(1);
  expect((await posting).status).toBe(200);
});

test('a sender that gives up during a delay is reported with its patience', async () => {
  const clock = new ManualClock();
  await using receiver = await createReceiver({ clock, script: 'delay:6s' });
  const giveUp = new AbortController();
  const left = nextEvent(receiver, 'left');
  const posting = failureOf(fetch(receiver.url, { method: 'POST', body: BODY, signal: giveUp.signal }));
  await clock.asleepFor(6000);
  clock.advance(5000);
  giveUp.abort();
  await posting;
  expect(await left).toMatchObject({ afterMs: 5000, request: { number: 1 } });
  expect(clock.asleep).toBe(0);
});

test('a body drips a byte at a time', async () => {
  const clock = new ManualClock();
  await using receiver = await createReceiver({ clock, script: '200+body:abc+drip:1B/1s' });
  using client = rawClient(receiver.url);
  client.send(requestText(BODY));
  for (const seen of ['\r\n\r\na', '\r\n\r\nab']) {
    await client.until(seen);
    await clock.asleepFor(1000);
    expect(client.seen().endsWith(seen)).toBe(true);
    clock.advance(1000);
  }
  await client.until('\r\n\r\nabc');
});

test('a head drips a byte at a time, then the connection ends', async () => {
  const clock = new ManualClock();
  await using receiver = await createReceiver({ clock, script: '503+body:late+drip-headers:5B/1s' });
  using client = rawClient(receiver.url);
  client.send(requestText(BODY));
  for (const seen of ['HTTP/', 'HTTP/1.1 5', 'HTTP/1.1 503 Se']) {
    await client.until(seen);
    await clock.asleepFor(1000);
    expect(client.seen()).toBe(seen);
    clock.advance(1000);
  }
  const ended = client.ended.then(() => true);
  while (!(await Promise.race([ended, clock.asleepFor(1000).then(() => false)]))) clock.advance(1000);
  expect(client.seen()).toMatch(/^HTTP\/1\.1 503 Service Unavailable\r\n(.+\r\n)+\r\nlate$/);
});

test('an endless drip ends when its signal aborts', async () => {
  const giveUp = new AbortController();
  const drops: Uint8Array[] = [];
  const trickle = { bytes: 1, everyMs: 1000 };
  for await (const drop of dripped(filler(Number.POSITIVE_INFINITY), trickle, new ManualClock(), giveUp.signal)) {
    drops.push(drop);
    giveUp.abort();
  }
  expect(drops).toHaveLength(1);
});

test('a drip without a body never ends, and stops with its sender', async () => {
  const clock = new ManualClock();
  await using receiver = await createReceiver({ clock, script: 'drip:1B/1s' });
  const left = nextEvent(receiver, 'left');
  const client = rawClient(receiver.url);
  client.send(requestText(BODY));
  for (let drops = 0; drops < 5; drops += 1) {
    await clock.asleepFor(1000);
    clock.advance(1000);
  }
  client[Symbol.dispose]();
  expect((await left).request.number).toBe(1);
  await expect.poll(() => clock.asleep).toBe(0);
});

test('a sender that hangs up while a head drips is told as gone, between two drops', async () => {
  const clock = new ManualClock();
  await using receiver = await createReceiver({ clock, script: 'drip-headers:1B/1s' });
  const left = nextEvent(receiver, 'left');
  const client = rawClient(receiver.url);
  client.send(requestText(BODY));
  await client.until('H');
  await clock.asleepFor(1000);
  client[Symbol.dispose]();
  expect((await left).request.number).toBe(1);
});
