import type { Event } from '../../../server/model/message.ts';

/** One of each kind, with what makes a sloppy serializer stumble: letters beyond ASCII, slashes, nesting, numbers. */
export const SAMPLE_EVENTS: readonly Partial<Event>[] = [
  { type: 'track', event: 'Größe/gewählt ✓', properties: { total: 42.5, list: [1, { a: null }], html: '<b>&</b>' } },
  { type: 'identify', traits: { plan: 'pro', name: 'Åsa' } },
  { type: 'page', name: 'Home', properties: { path: '/a/b?c=d' } },
  { type: 'screen', name: 'Inbox', category: 'Mail' },
  { type: 'group', groupId: 'g-1', traits: { seats: 3 } },
  { type: 'alias', previousId: 'anonymous-1' },
  { type: 'delete' },
];
