import type { Resources, SchemaSettings } from '../../server/model/resources.ts';
import type { Event } from '../../server/model/message.ts';
import { enforce } from '../../server/tracking/enforce.ts';
import type { Plan } from '../../server/tracking/plan.ts';
import { createPlans } from '../../server/tracking/plans.ts';
import { LET_THROUGH } from '../../server/model/stored-rows.ts';
import { Budget } from '../../server/evaluation/budget.ts';
import { type Bench, repeat } from './bench.ts';
import { figuresOf } from './figures.ts';

const RULES = 50;
const TIME = '2026-11-20T12:00:00.000Z';
const text = { type: 'string' };

/** As plans of shops are: some properties, one of them nested, one a list of objects. */
function rule(own: number): object {
  const item = { sku: text, name: text, price: { type: 'number' }, quantity: { type: 'integer', minimum: 1 } };
  const properties = {
    order_id: { type: 'string', pattern: '^o-[0-9]{1,12}$' },
    total: { type: 'number', minimum: 0 },
    currency: { type: 'string', enum: ['EUR', 'USD', 'GBP'] },
    coupon: { type: ['string', 'null'] },
    at: { type: 'string', format: 'date-time' },
    [`own_${own}`]: { type: 'integer' },
    shipping: { type: 'object', properties: { street: text, zip: text, country: text } },
    products: { type: 'array', items: { type: 'object', required: ['sku'], properties: item } },
  };
  return {
    type: 'object',
    properties: { properties: { type: 'object', required: ['order_id', 'total'], properties } },
  };
}

const STORED: Resources['tracking-plans'] = {
  name: 'workspaces/main/tracking-plans/rs_bench',
  display_name: 'Shop',
  rules: {
    events: Array.from({ length: RULES }, (_, at) => ({ name: `Event ${at}`, version: 1, rules: rule(at) })),
    global: {
      type: 'object',
      properties: { context: { type: 'object', properties: { library: { type: 'object' } } } },
    },
  },
  create_time: TIME,
  update_time: TIME,
};

function event(at: number, isPlanned: boolean): Event {
  const product = { sku: 'a', name: 'Lamp', price: 9.5, quantity: 2 };
  const shipping = { street: 'Main Street', zip: '10115', country: 'DE' };
  const order = { order_id: isPlanned ? 'o-123' : 'x', total: 28.5, currency: 'EUR', coupon: null, at: TIME };
  const properties = { ...order, shipping, products: [product, product, product], ...(isPlanned ? {} : { extra: 1 }) };
  const context = { library: { name: 'bench', version: '1' } };
  const times = { timestamp: TIME, receivedAt: TIME };
  return {
    type: 'track',
    messageId: `m${at}`,
    userId: 'u',
    event: `Event ${at % RULES}`,
    properties,
    context,
    ...times,
  };
}

function microsecondsEach(plan: Plan, isPlanned: boolean, settings: SchemaSettings): number {
  const events = Array.from({ length: 1_000 }, (_, at) => event(at, isPlanned));
  const rounds = Array.from({ length: 101 }, () => {
    const start = performance.now();
    for (const one of events) enforce(one, plan, settings, new Budget());
    return performance.now() - start;
  });
  return Math.min(...rounds);
}

const OMITTING: SchemaSettings = {
  ...LET_THROUGH,
  allow_unplanned_track_event_properties: false,
  allow_track_properties_on_violations: false,
};

interface Run {
  readonly readyMs: number;
  readonly planned: number;
  readonly violating: number;
  readonly omitted: number;
}

function measure(): Run {
  const start = performance.now();
  const plan = createPlans().of(STORED);
  for (let at = 0; at < RULES; at += 1) enforce(event(at, true), plan, LET_THROUGH, new Budget());
  return {
    readyMs: (performance.now() - start) / RULES,
    planned: microsecondsEach(plan, true, LET_THROUGH),
    violating: microsecondsEach(plan, false, LET_THROUGH),
    omitted: microsecondsEach(plan, false, OMITTING),
  };
}

/** The best of many rounds, of a thousand events each. */
export const trackingPlan: Bench = {
  name: 'tracking-plan',
  about: 'holding an event to a plan of 50 rules with some 15 fields each',
  runs: 1,
  isStandard: false,
  measure: async (wish) => {
    const runs = await repeat(wish, 'tracking-plan', async () => measure());
    return figuresOf(runs, [
      ['an event as planned', 'µs', ({ planned }) => planned],
      ['an event with two violations', 'µs', ({ violating }) => violating],
      ['an event with two violations, left out', 'µs', ({ omitted }) => omitted],
      ['making a rule ready, once', 'ms', ({ readyMs }) => readyMs],
    ]);
  },
};
