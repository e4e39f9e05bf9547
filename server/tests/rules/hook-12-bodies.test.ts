import { expect, test } from 'vitest';
import { bytesOf, webhookBody } from '../../delivery/webhook-request.ts';
import type { Event } from '../../model/message.ts';
import { loadDocument } from '../../http/document.ts';
import { createValidation } from '../../http/validation.ts';
import { eventOf } from '../support/engine.ts';

const AT = Date.UTC(2026, 10, 20, 23, 10, 38, 958);
const check = createValidation(loadDocument('config-api')).body({ $ref: '#/components/schemas/WebhookEvent' });

const KINDS: readonly [Partial<Event> & { type: Event['type'] }, keys: readonly string[]][] = [
  [
    { type: 'page', properties: { path: '/', title: 'Home' } },
    ['version', 'type', 'userId', 'properties', 'timestamp'],
  ],
  [{ type: 'screen', name: 'Home' }, ['version', 'type', 'userId', 'name', 'timestamp']],
  [{ type: 'identify', traits: { plan: 'pro' } }, ['version', 'type', 'userId', 'traits', 'timestamp']],
  [{ type: 'track', event: 'Sold' }, ['version', 'type', 'userId', 'event', 'properties', 'timestamp']],
  [{ type: 'alias', previousId: 'old' }, ['version', 'type', 'Previous ID', 'User ID', 'timestamp']],
  [{ type: 'group', groupId: 'g1', traits: {} }, ['version', 'type', 'groupId', 'userId', 'traits', 'timestamp']],
  [{ type: 'delete' }, ['type', 'userId', 'timestamp']],
];

test.each(KINDS)('HOOK-12: the body of $type begins with the fields of the seed', (event, keys) => {
  const body = sent(event);
  expect(Object.keys(body).slice(0, keys.length)).toEqual(keys);
  expect(check(body), JSON.stringify(check.errors)).toBe(true);
});

test('HOOK-12: version is the integer 1, and a delete has none', () => {
  expect(sent({ type: 'track' })['version']).toBe(1);
  expect(sent({ type: 'delete' })).not.toHaveProperty('version');
});

test('HOOK-12: alias names both ids in keys with a space', () => {
  expect(sent({ type: 'alias', previousId: 'old', userId: 'new' })).toMatchObject({
    'Previous ID': 'old',
    'User ID': 'new',
    previousId: 'old',
    userId: 'new',
  });
});

test('HOOK-12: the contract refuses a body without its fields', () => {
  const { 'Previous ID': _gone, ...body } = sent({ type: 'alias', previousId: 'old' });
  expect(check(body)).toBe(false);
});

test('HOOK-13: timestamps are ISO 8601 in UTC', () => {
  const { timestamp, receivedAt } = sent({ type: 'track' });
  expect([timestamp, receivedAt]).toEqual(['2026-11-20T23:10:38.958Z', '2026-11-20T23:10:38.958Z']);
});

test('HOOK-13: a delete that an earlier version stored with whole seconds is sent with milliseconds', () => {
  const body = sent({ type: 'delete', timestamp: '2026-11-20T23:10:38Z' });
  expect(body['timestamp']).toBe('2026-11-20T23:10:38.000Z');
});

test.each(KINDS.slice(0, 6))('HOOK-14: $type carries its context', (event) => {
  expect(sent({ ...event, context: { ip: '192.0.2.1' } })['context']).toEqual({ ip: '192.0.2.1' });
});

test('HOOK-12: a delete names the user, and carries nothing else of it', () => {
  expect(sent({ type: 'delete', anonymousId: 'a1', traits: { plan: 'pro' } })).toEqual({
    type: 'delete',
    userId: 'u1',
    timestamp: '2026-11-20T23:10:38.958Z',
    messageId: 'm1',
  });
});

test.each<Partial<Event>>([
  { type: 'page', name: 'Home', category: 'Docs', properties: { path: '/' } },
  { type: 'screen', name: 'Home', category: 'Docs', properties: { path: '/' } },
  { type: 'identify', traits: { plan: 'pro' } },
  { type: 'track', event: 'Sold', properties: { price: 1 } },
  { type: 'group', groupId: 'g1', traits: { plan: 'pro' } },
])('D-27: a body carries all that the event says: $type', (event) => {
  expect(sent(event)).toMatchObject(event);
});

test.each(['identify', 'group'] as const)('HOOK-12: %s without traits carries empty ones', (type) => {
  expect(sent({ type, groupId: 'g1' })['traits']).toEqual({});
});

test('D-27: a body carries what else the event has, and nothing it lacks', () => {
  const extras = {
    anonymousId: 'a1',
    integrations: { All: true },
    originalTimestamp: '2026-11-20T23:10:00Z',
    sentAt: '2026-11-20T23:10:01Z',
  };
  const { messageId, ...body } = sent({ type: 'track', ...extras });
  expect(messageId).toBe('m1');
  expect(body).toMatchObject(extras);
  expect(Object.keys(sent({ type: 'track' }))).not.toContain('anonymousId');
});

/** The body as a receiver reads it. */
function sent(event: Partial<Event>): Record<string, unknown> {
  return JSON.parse(new TextDecoder().decode(bytesOf(webhookBody(eventOf(AT, event)))));
}
