import { expect, test } from 'vitest';
import type { components } from '../../../generated/receiver-control.d.ts';
import { newsOf } from '../../control/news.ts';
import { createReceiver } from '../../index.ts';
import { event, post, statuses } from '../support/posting.ts';
import { serve } from '../support/served.ts';

type News = components['schemas']['News'];

/** Reads messages until one holds what is looked for. */
async function until(news: AsyncGenerator<News>, holds: (message: News) => boolean): Promise<News> {
  for (;;) {
    const { value, done } = await news.next();
    if (done === true) throw new Error('the stream ended');
    if (holds(value)) return value;
  }
}

test('the first message tells what is there, and the next ones what is new', async () => {
  await using receiver = await createReceiver({ secret: 's3cret', script: '503,200' });
  await post(receiver.url, event('track', { event: 'Order Completed' }));
  const over = new AbortController();
  const news = newsOf(receiver, over.signal);
  const first = await until(news, () => true);
  expect(first).toMatchObject({
    isFresh: true,
    requests: [{ number: 1, type: 'track', event: 'Order Completed', signature: { verdict: 'missing' } }],
    receiver: { received: 1, endpoints: [{ next: [{ answer: { said: '200', step: 2 } }] }] },
  });
  await post(receiver.url, event('page'));
  const second = await until(news, () => true);
  expect(second).toMatchObject({ isFresh: false, requests: [{ number: 2, type: 'page' }] });
  receiver.reset();
  expect(await until(news, () => true)).toMatchObject({ isFresh: true, requests: [], receiver: { received: 0 } });
  over.abort();
  expect(await news.next()).toMatchObject({ done: true });
});

test('what an application answers later, and what is no request, is told as well', async () => {
  await using application = await serve((_request, response) => response.writeHead(201).end('made'));
  await using receiver = await createReceiver({ forward: application.url });
  const over = new AbortController();
  const news = newsOf(receiver, over.signal);
  await until(news, () => true);
  await post(receiver.url, event('track'));
  await until(news, ({ requests }) => requests.some(({ forwarded }) => forwarded?.status === 201));
  receiver.setScript('reset:upload');
  await post(receiver.url, 'x').catch(() => undefined);
  const { incidents } = await until(news, ({ incidents: told }) => told.length > 0);
  expect(incidents[0]?.text).toMatch(/^A request was not read: reset:upload/);
  over.abort();
});

test('whoever reads slowly gets the latest, and no message grows', async () => {
  await using receiver = await createReceiver();
  const over = new AbortController();
  const news = newsOf(receiver, over.signal);
  await until(news, () => true);
  await statuses(
    receiver.url,
    Array.from({ length: 230 }, () => event('track', { event: 'x'.repeat(5_000) })),
  );
  const told = await until(news, () => true);
  expect(told.requests.map(({ number }) => number)).toEqual(Array.from({ length: 200 }, (_, at) => at + 31));
  expect(JSON.stringify(told).length).toBeLessThan(200_000);
  over.abort();
});

test('a script with steps for event types says what is next for each', async () => {
  await using receiver = await createReceiver({ script: 'track:503x2,page:429,200' });
  const saidNext = () => receiver.endpoints[0]?.next.map(({ type, turn }) => [type, turn.step, turn.time]);
  expect(saidNext()).toEqual([
    ['track', 1, 1],
    ['page', 2, 1],
    [undefined, 3, 1],
  ]);
  await post(receiver.url, event('track'));
  expect(saidNext()?.[0]).toEqual(['track', 1, 2]);
  expect(receiver.received[0]?.turn.step).toBe(1);
});

test('what is told to be next is what comes, chances and delays included', async () => {
  await using receiver = await createReceiver({ script: '503+50% x*,200+delay:1ms..4ms', seed: 7 });
  for (let count = 0; count < 30; count += 1) {
    const { said, delayMs } = {
      said: receiver.endpoints[0]?.next.at(-1)?.turn.step,
      delayMs: receiver.endpoints[0]?.next.at(-1)?.turn.delayMs,
    };
    await post(receiver.url, event('track'));
    expect(receiver.received.at(-1)?.turn).toMatchObject({ step: said, delayMs });
  }
});
