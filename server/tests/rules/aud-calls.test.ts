import { expect, test } from 'vitest';
import { parse } from '../../../client/webhooks/index.ts';
import { identifyCall } from '../../audiences/identify-call.ts';
import { webhookBody } from '../../delivery/webhook-request.ts';

const ABOUT = {
  name: 'workspaces/acme/audiences/aud_1',
  kind: 'audiences',
  key: 'big_spenders',
  workspace: { name: 'workspaces/acme', id: '0123456789' },
} as const;
const TO = { destination: 'workspaces/acme/sources/js/destinations/webhooks', user: 'u1', value: 'true', sync: 1 };
const AT = { wall: Date.UTC(2026, 0, 1), steady: 5 };

test('AUD-1, AUD-2: a destination is told of one user by an identify with the audience as its trait', () => {
  const { source, event } = identifyCall(ABOUT, TO, AT);
  expect(source).toBe(ABOUT.name);
  expect(event).toMatchObject({
    type: 'identify',
    userId: 'u1',
    traits: { big_spenders: true },
    integrations: { All: false, Webhooks: true },
    context: {
      integrations: { personas: false },
      personas: {
        computation_class: 'audience',
        computation_id: 'aud_1',
        computation_key: 'big_spenders',
        namespace: 'acme',
        space_id: '0123456789',
      },
    },
  });
  expect(event.messageId).toMatch(/^personas_/);
});

test('AUD-5: a computed trait is told with its value', () => {
  const about = { ...ABOUT, kind: 'computed-traits' as const, key: 'brands' };
  const { event } = identifyCall(about, { ...TO, value: '["a","b"]' }, AT);
  expect(event.traits).toEqual({ brands: ['a', 'b'] });
});

test('AUD-8: a repetition has the same message id, another sync, user or destination another', () => {
  const idOf = (to: typeof TO) => identifyCall(ABOUT, to, AT).event.messageId;
  expect(idOf(TO)).toBe(identifyCall(ABOUT, TO, { wall: 1, steady: 1 }).event.messageId);
  const others = [
    { ...TO, sync: 2 },
    { ...TO, user: 'u2' },
    { ...TO, destination: 'workspaces/acme/sources/go/destinations/webhooks' },
  ];
  expect(new Set([TO, ...others].map(idOf)).size).toBe(4);
});

test('AUD-1: the body keeps the contract', () => {
  const { event } = identifyCall(ABOUT, TO, AT);
  expect(parse(JSON.stringify(webhookBody(event)))).toMatchObject({
    kind: 'event',
    event: { type: 'identify', traits: { big_spenders: true } },
  });
});
