import type { Event } from '../model/message.ts';

/** As much of an event as says who was seen, and when. What is caught like this is counted by no measure. */
export type SeenIds = Pick<Event, 'userId' | 'anonymousId' | 'messageId' | 'timestamp' | 'receivedAt'>;

/** What an acceptance carries for the profiles, as JSON. */
export type CaughtEvent = Event | SeenIds;
