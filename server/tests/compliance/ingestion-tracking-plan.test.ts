import { expect, test } from 'vitest';
import { type Route, SOURCE, startRoute } from '../support/ingestion-route.ts';

const RULES = {
  events: [
    {
      name: 'Order Completed',
      version: 1,
      rules: {
        $schema: 'http://json-schema.org/draft-07/schema#',
        type: 'object',
        properties: {
          properties: {
            type: 'object',
            required: ['order_id'],
            properties: { order_id: { type: 'string', pattern: '^o-\\d+$' }, total: { type: 'number' } },
          },
        },
      },
    },
  ],
  identify: {
    type: 'object',
    properties: { traits: { type: 'object', properties: { plan: { enum: ['free', 'pro'] } } } },
  },
};

/** Connects the source of the route to a new plan. */
async function connectPlan({ config }: Route): Promise<void> {
  const { name } = await config('POST', '/workspaces/main/tracking-plans', {
    tracking_plan: { display_name: 'Shop', rules: RULES },
  });
  await config('POST', `/${String(name)}/source-connections`, { source_name: SOURCE });
}

async function configure({ config }: Route, schema_config: object): Promise<void> {
  const update_mask = { paths: Object.keys(schema_config).map((field) => `schema_config.${field}`) };
  await config('PATCH', `/${SOURCE}/schema-config`, { schema_config, update_mask });
}

async function send({ host, writeKey }: Route, ...batch: object[]): Promise<unknown> {
  const calls = batch.map((call) => ({ userId: 'u', ...call }));
  const body = JSON.stringify({ batch: calls, writeKey });
  const answer = await fetch(`${host}/v1/batch`, { method: 'POST', body });
  return [answer.status, await answer.json()];
}

const order = (messageId: string, properties: object): object => ({
  type: 'track',
  event: 'Order Completed',
  messageId,
  properties,
});
const ACCEPTED = [200, { success: true }];

/** What was delivered of each event, by its messageId. */
async function deliveredBy(route: Route, count: number): Promise<Record<string, unknown>> {
  const received = await route.delivered(count);
  expect(received).toHaveLength(count);
  const bodies = received.map(({ event }): Record<string, unknown> => Object(event));
  return Object.fromEntries(bodies.map((body) => [String(body['messageId']), body['properties'] ?? body['traits']]));
}

test('D-46, D-47: a plan that is connected leaves out, blocks and tells, through to the webhook', async () => {
  const route = await startRoute();
  await connectPlan(route);
  await configure(route, {
    allow_unplanned_track_events: false,
    allow_unplanned_track_event_properties: false,
    allow_track_properties_on_violations: false,
  });
  const sent = [
    order('good', { order_id: 'o-1', total: 5 }),
    order('mended', { order_id: 'o-2', total: '5', coupon: 'c' }),
    { type: 'track', event: 'order completed', messageId: 'lost' },
    { type: 'identify', messageId: 'user', traits: { plan: 'gold', name: 'Ada' } },
  ];
  expect(await send(route, ...sent)).toEqual(ACCEPTED);
  expect(await deliveredBy(route, 3)).toEqual({
    good: { order_id: 'o-1', total: 5 },
    mended: { order_id: 'o-2' },
    user: { plan: 'gold', name: 'Ada' },
  });

  const { counts, violations } = await route.config('GET', `/${SOURCE}/violations`);
  const named = { type: 'track', event: 'Order Completed' };
  expect(counts).toEqual([
    { ...named, kind: 'unplanned_property', count: 1 },
    { ...named, kind: 'type_mismatch', count: 1 },
    { type: 'track', event: 'order completed', kind: 'unplanned_event', count: 1 },
    { type: 'identify', kind: 'unplanned_trait', count: 1 },
    { type: 'identify', kind: 'value_not_allowed', count: 1 },
  ]);
  expect(violations).toHaveLength(5);
  expect(violations).toContainEqual(
    expect.objectContaining({ field: 'properties.total', action: 'omitted', message_id: 'mended', rule: 'event' }),
  );

  const lost = { reason: 'unplanned', type: 'track', event: 'order completed', message_id: 'lost' };
  expect(await route.config('GET', `/${SOURCE}/dropped-events`)).toEqual({
    since: expect.any(String),
    adjusted_counts: [],
    adjusted_events: [],
    counts: [],
    dropped_events: [],
    blocked_counts: [{ reason: 'unplanned', count: 1 }],
    blocked_events: [{ ...lost, receive_time: expect.any(String) }],
  });
});

test('D-46, D-47: what is blocked never arrives, and nothing is lost with it', async () => {
  const route = await startRoute();
  await connectPlan(route);
  // Twin: while all is allowed, the same event arrives whole.
  await send(route, order('before', { order_id: 'x' }));
  await configure(route, { allow_track_event_on_violations: false });
  expect(await send(route, order('blocked', { order_id: 'x' }))).toEqual(ACCEPTED);
  await send(route, order('after', { order_id: 'o-1' }));
  // Deliveries of one destination leave in turn, so a blocked one would have come before the last.
  expect(await deliveredBy(route, 2)).toEqual({ before: { order_id: 'x' }, after: { order_id: 'o-1' } });
  const { counts } = await route.config('GET', `/${SOURCE}/violations`);
  expect(counts).toEqual([{ type: 'track', event: 'Order Completed', kind: 'value_not_allowed', count: 2 }]);
  const metrics = await (await fetch(`${route.host}/metrics`)).text();
  expect(metrics).toMatch(/^waybill_violations_total\{kind="value_not_allowed"\} 2$/m);
  expect(metrics).toMatch(/^waybill_events_dropped_total\{reason="schema_violation"\} 1$/m);
});
