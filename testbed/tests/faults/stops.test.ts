import { expect, test } from 'vitest';
import { createReceiver } from '../../index.ts';
import type { Receiver } from '../../index.ts';
import type { Stage } from '../../fault-script/index.ts';
import { event, failureOf, nextEvent, post, statuses } from '../support/posting.ts';
import { rawClient, requestText } from '../support/raw-client.ts';
import type { RawClient } from '../support/raw-client.ts';

const BODY = event('track');
/** What a client has seen, at most, when an answer stops at a stage; none where no answer was begun. */
const SEEN: { readonly [S in Stage]: RegExp } = {
  connect: /^$/,
  upload: /^$/,
  request: /^$/,
  headers: /^HTTP\/1\.1 202 Accepted\r\n(.+\r\n)+\r\n$/,
  body: /^HTTP\/1\.1 202 Accepted\r\n(.+\r\n)+\r\nThis answer has a first half, an$/,
  answer: /^HTTP\/1\.1 202 Accepted\r\n(.+\r\n)+\r\n$/,
};
const READ: ReadonlySet<Stage> = new Set(['request', 'headers', 'body', 'answer']);
const STATUS_SENT: ReadonlySet<Stage> = new Set(['headers', 'body', 'answer']);

function stopAt(manner: string, at: Stage): string {
  return `${STATUS_SENT.has(at) ? '202+' : ''}${manner}:${at}`;
}

/** Resolves when the receiver has begun to play a turn for the request. */
async function playing(receiver: Receiver, at: Stage): Promise<unknown> {
  return READ.has(at) ? receiver.next() : nextEvent(receiver, 'turned-away');
}

async function expectRecord(receiver: Receiver, at: Stage): Promise<void> {
  expect(receiver.received).toHaveLength(READ.has(at) ? 1 : 0);
}

const stages = Object.keys(SEEN).filter((key): key is Stage => Object.hasOwn(SEEN, key));

test.each(stages)('reset:%s ends the connection with a TCP reset', async (at) => {
  await using receiver = await createReceiver({ script: stopAt('reset', at) });
  using client = rawClient(receiver.url);
  client.send(requestText(BODY));
  expect(await client.ended).toBe('reset');
  expect(client.seen()).toMatch(SEEN[at]);
  await expectRecord(receiver, at);
});

test.each(stages)('close:%s ends the connection politely', async (at) => {
  await using receiver = await createReceiver({ script: stopAt('close', at) });
  using client = rawClient(receiver.url);
  client.send(requestText(BODY));
  expect(await client.ended).toBe('fin');
  expect(client.seen()).toMatch(SEEN[at]);
  await expectRecord(receiver, at);
});

test.each(stages.filter((at) => at !== 'answer'))(
  'silence:%s sends nothing more, and keeps the connection',
  async (at) => {
    const receiver = await createReceiver({ script: stopAt('silence', at) });
    using client: RawClient = rawClient(receiver.url);
    const begun = playing(receiver, at);
    client.send(requestText(BODY));
    await begun;
    if (at === 'headers') await client.until('\r\n\r\n');
    if (at === 'body') await client.until('half, an');
    await expectRecord(receiver, at);
    // All that was ever sent is there once the connection ends, and it ends by closing the receiver, no sooner.
    expect(await Promise.race([client.ended, new Promise((resolve) => setImmediate(resolve, 'open'))])).toBe('open');
    await receiver.close();
    await client.ended;
    expect(client.seen()).toMatch(SEEN[at]);
  },
);

test('a sender that gives up on silence is reported', async () => {
  await using receiver = await createReceiver({ script: 'silence:request' });
  const left = nextEvent(receiver, 'left');
  const giveUp = new AbortController();
  const sending = failureOf(fetch(receiver.url, { method: 'POST', body: BODY, signal: giveUp.signal }));
  const request = await receiver.next();
  giveUp.abort();
  await sending;
  expect((await left).request).toBe(request);
});

test.each([
  ['reset:connect', 'ECONNRESET'],
  ['reset:upload', 'ECONNRESET'],
  ['reset:request', 'ECONNRESET'],
  ['reset:headers', 'ECONNRESET'],
  ['reset:body', 'ECONNRESET'],
  ['close:connect', 'UND_ERR_SOCKET'],
  ['close:request', 'UND_ERR_SOCKET'],
  ['close:headers', 'UND_ERR_SOCKET'],
  ['close:body', 'UND_ERR_SOCKET'],
])('undici meets %s as %s', async (script, code) => {
  await using receiver = await createReceiver({ script });
  expect(await failureOf(post(receiver.url, BODY))).toBe(code);
});

test.each(['reset:answer', 'close:answer'])('%s lets the answer through first', async (script) => {
  await using receiver = await createReceiver({ script });
  expect(await statuses(receiver.url, [BODY])).toEqual([200]);
});

test.each(['upload', 'request'])('early end at %s: a large upload is cut off', async (at) => {
  await using receiver = await createReceiver({ script: `reset:${at},200` });
  expect(await failureOf(post(receiver.url, new Uint8Array(4_000_000)))).toMatch(/ECONNRESET|EPIPE/);
  expect(receiver.received).toHaveLength(at === 'request' ? 1 : 0);
  expect(await statuses(receiver.url, [BODY])).toEqual([200]);
});

test('steps before reading are taken in the order of connections', async () => {
  await using receiver = await createReceiver({ script: '503,reset:connect,200' });
  expect(await statuses(receiver.url, [BODY])).toEqual([503]);
  expect(await failureOf(post(receiver.url, BODY))).toBe('ECONNRESET');
  expect(await statuses(receiver.url, [BODY, BODY])).toEqual([200, 200]);
  expect(receiver.received.map(({ turn }) => turn.step)).toEqual([1, 3, 3]);
});

test('two connections at once take two steps', async () => {
  await using receiver = await createReceiver({ script: 'reset:connect,200' });
  const results = await Promise.allSettled([post(receiver.url, BODY), post(receiver.url, BODY)]);
  expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
});

test('an open connection meets a step before reading as well', async () => {
  await using receiver = await createReceiver({ script: '200+body:first,close:connect' });
  using client = rawClient(receiver.url);
  client.send(requestText(BODY));
  await client.until('first');
  client.send(requestText(BODY));
  expect(await client.ended).toBe('fin');
  expect(receiver.received).toHaveLength(1);
});
