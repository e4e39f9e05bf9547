import type { Event } from '../../../server/model/message.ts';
import { wantAccepted } from '../expectations.ts';
import { ofWaybill, type Scenario } from '../scenario.ts';

const KINDS: { readonly [T in Event['type']]: Partial<Event> } = {
  track: { event: 'Order Completed', properties: { total: 42.5, currency: 'EUR' } },
  identify: { traits: { email: 'ada@example.com', plan: 'pro' } },
  page: { name: 'Pricing', category: 'Marketing', properties: { path: '/pricing', title: 'Pricing' } },
  screen: { name: 'Inbox', category: 'Mail' },
  group: { groupId: 'group-1', traits: { seats: 3 } },
  alias: { previousId: 'anonymous-1' },
  delete: {},
};

/** Of an event that was given; what the receiver says to it decides whether there is anything to judge. */
export const GIVEN_SCENARIOS: readonly Scenario[] = [
  {
    id: 'given-event',
    title: 'The event that was given is accepted',
    expects: 'A signed event is answered 2xx, whatever is done about it.',
    run: (courier) => wantAccepted(courier, 'the event'),
  },
];

/** A delivery of each of the seven kinds, as the router makes them (HOOK-12). */
export const KIND_SCENARIOS: readonly Scenario[] = Object.entries(KINDS).map(([type, fields]) => ({
  id: `kind-${type}`,
  title: `A signed ${type} event is accepted`,
  expects: 'Each of the seven kinds is answered 2xx, whatever is done about it.',
  notFor: ofWaybill,
  run: async (courier) =>
    wantAccepted(courier, `${type === 'identify' || type === 'alias' ? 'an' : 'a'} ${type} event`, {
      ...fields,
      type: typeIn(type),
    }),
}));

function typeIn(type: string): Event['type'] {
  const types: readonly Event['type'][] = ['track', 'identify', 'page', 'screen', 'group', 'alias', 'delete'];
  return types.find((each) => each === type) ?? 'track';
}
