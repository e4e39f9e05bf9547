import { expect, test } from 'vitest';
import { requestTo, USER_AGENT, webhookBody } from '../../delivery/webhook-request.ts';
import type { Target } from '../../delivery/target.ts';
import type { Event } from '../../model/message.ts';
import { eventOf } from '../support/engine.ts';

const AT = Date.UTC(2026, 10, 20, 23, 10, 38, 958);
const timestamp = '2026-11-20T23:10:38.958Z';
const common = { messageId: 'm1', context: {}, receivedAt: timestamp };
const extras = {
  anonymousId: 'a1',
  integrations: { All: true },
  originalTimestamp: '2026-11-20T23:10:00Z',
  sentAt: '2026-11-20T23:10:01Z',
};
const userId = 'u1';

type Body = Readonly<Record<string, unknown>>;

/** An event with no more than its kind needs, and its body; then the same with all that it can have. */
const BODIES: readonly (readonly [Event['type'], least: Partial<Event>, body: Body, more: Partial<Event>])[] = [
  ['page', { properties: {} }, { properties: {} }, { name: 'Home', category: 'Docs', properties: { path: '/' } }],
  ['screen', {}, {}, { name: 'Home', category: 'Docs', properties: { path: '/' } }],
  ['identify', { traits: {} }, { traits: {} }, { traits: { plan: 'pro' } }],
  ['track', { event: 'Sold' }, { event: 'Sold', properties: {} }, { event: 'Sold', properties: { price: 1 } }],
  ['alias', { previousId: 'p' }, { previousId: 'p', 'Previous ID': 'p', 'User ID': 'u1' }, {}],
  ['group', { groupId: 'g', traits: {} }, { groupId: 'g', traits: {} }, { groupId: 'g', traits: { plan: 'pro' } }],
];

function plain(type: Event['type'], fields: Partial<Event>): Event {
  const { properties: _properties, event: _event, ...base } = eventOf(AT, { type, userId });
  return { ...base, ...fields };
}

test.each(BODIES)('D-27: the body of %s has what its event has, and nothing else', (type, least, body, more) => {
  const head = { version: 1, type, timestamp };
  const small = webhookBody(plain(type, least));
  expect(small).toStrictEqual({ ...head, userId, ...common, ...body });
  const large = webhookBody(plain(type, { ...least, ...more, ...extras }));
  expect(large).toStrictEqual({ ...head, userId, ...common, ...body, ...more, ...extras });
});

test('D-27: the body of an event without a user names none', () => {
  const { userId: _none, ...event } = plain('track', { event: 'Sold', anonymousId: 'a1' });
  const body = { version: 1, type: 'track', timestamp, event: 'Sold', properties: {}, anonymousId: 'a1' };
  expect(webhookBody(event)).toStrictEqual({ ...body, ...common });
});

const webhook = {
  url: 'https://a.test/',
  headers: { 'User-Agent': 'own', 'Content-Type': 'text/plain', 'X-Own': 'x' },
};
const unsigned = { messageId: 'm1', at: AT, body: new Uint8Array([1, 2]) };

test('HOOK-3, HOOK-4: a request has the bytes and the deadline that it was given, and no header takes the place of a fixed one', () => {
  expect(requestTo(webhook, { webhooks: [webhook], sharedSecret: '' }, unsigned, 7)).toStrictEqual({
    url: 'https://a.test/',
    headers: { 'User-Agent': USER_AGENT, 'Content-Type': 'application/json', 'X-Own': 'x' },
    body: unsigned.body,
    deadlineMs: 7,
  });
});

const headersOf = (traced: Pick<Target, 'traceContext'>, traceparent?: string): object =>
  requestTo(webhook, { webhooks: [webhook], sharedSecret: '', ...traced }, unsigned, 7, { traceparent }).headers;

test('a request names its trace where the destination is to hear of it, and there is one', () => {
  expect(headersOf({ traceContext: true }, '00-1-2-01')).toMatchObject({ traceparent: '00-1-2-01' });
  expect(headersOf({ traceContext: true })).not.toHaveProperty('traceparent');
  expect(headersOf({}, '00-1-2-01')).not.toHaveProperty('traceparent');
});
