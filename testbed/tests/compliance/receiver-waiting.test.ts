import { expect, test } from 'vitest';
import { createReceiver } from '../../index.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { event, failureOf, post } from '../support/posting.ts';

test('next gives every request once, in order', async () => {
  await using receiver = await createReceiver();
  await post(receiver.url, event('track'));
  const [first, second, third] = [receiver.next(), receiver.next(), receiver.next()];
  await post(receiver.url, event('page'));
  await post(receiver.url, event('group'));
  const types = (await Promise.all([first, second, third])).map((request) => request.event?.['type']);
  expect(types).toEqual(['track', 'page', 'group']);
});

test('waitFor finds what came before and what comes after', async () => {
  await using receiver = await createReceiver();
  await post(receiver.url, event('identify'));
  expect(await receiver.waitFor({ type: 'identify' })).toMatchObject({ number: 1 });
  const waiting = receiver.waitFor({ type: 'track', event: 'Signed Up' });
  await post(receiver.url, event('track', { event: 'Logged In' }));
  await post(receiver.url, event('track', { event: 'Signed Up' }));
  expect(await waiting).toMatchObject({ number: 3 });
});

test('waitFor with a count gives the first so many', async () => {
  await using receiver = await createReceiver();
  const waiting = receiver.waitFor({ type: 'track', count: 2 });
  for (const type of ['track', 'page', 'track', 'track']) await post(receiver.url, event(type));
  expect((await waiting).map(({ number }) => number)).toEqual([1, 3]);
});

test('waiting in vain tells what did arrive', async () => {
  const clock = new ManualClock();
  await using receiver = await createReceiver({ clock, secret: 's3cret', script: '503,200' });
  await post(receiver.url, event('track', { event: 'Logged In' }));
  await post(receiver.url, 'no json');
  const waiting = receiver.waitFor({ type: 'track', event: 'Signed Up', within: '2s' });
  await clock.asleepFor(2000);
  clock.advance(2000);
  await expect(waiting).rejects.toThrow(
    [
      'Timed out waiting for a track "Signed Up": not within 2s; 2 arrived:',
      '  #1 track "Logged In", signature missing, step 1',
      '  #2 POST / (7 bytes, no event), signature missing, step 2',
    ].join('\n'),
  );
});

test('waiting in vain for several tells that nothing arrived', async () => {
  const clock = new ManualClock();
  await using receiver = await createReceiver({ clock });
  const waiting = receiver.waitFor({ count: 3 });
  await clock.asleepFor(5000);
  clock.advance(5000);
  await expect(waiting).rejects.toThrow('Timed out waiting for 3 × request: not within 5s; nothing arrived');
});

test('of many arrivals the message lists the last ten', async () => {
  const clock = new ManualClock();
  await using receiver = await createReceiver({ clock });
  for (let count = 0; count < 12; count += 1) await post(receiver.url, event('track'));
  const waiting = receiver.waitFor({ type: 'page', within: '1s' });
  await clock.asleepFor(1000);
  clock.advance(1000);
  await expect(waiting).rejects.toThrow(/12 arrived:\n {2}… 2 before\n {2}#3 track/);
});

test('a wait that failed takes no request away', async () => {
  const clock = new ManualClock();
  await using receiver = await createReceiver({ clock });
  const late = receiver.next({ within: '1s' });
  await clock.asleepFor(1000);
  clock.advance(1000);
  await expect(late).rejects.toThrow('another request');
  await post(receiver.url, event('track'));
  expect(await receiver.next()).toMatchObject({ number: 1 });
});

test('closing ends every wait, and later ones at once', async () => {
  const receiver = await createReceiver();
  const waiting = failureOf(receiver.next());
  await receiver.close();
  expect(await waiting).toContain('the receiver is closed; nothing arrived');
  await expect(receiver.waitFor({ type: 'track' })).rejects.toThrow('the receiver is closed');
});

test('what arrived is still there after closing', async () => {
  const receiver = await createReceiver();
  await post(receiver.url, event('track'));
  await receiver.close();
  expect(await receiver.waitFor({ type: 'track' })).toMatchObject({ number: 1 });
});

test('a wait that is over leaves no timer behind', async () => {
  const clock = new ManualClock();
  await using receiver = await createReceiver({ clock });
  const waiting = receiver.next();
  await clock.asleepFor(5000);
  await post(receiver.url, event('track'));
  await waiting;
  expect(clock.asleep).toBe(0);
});
