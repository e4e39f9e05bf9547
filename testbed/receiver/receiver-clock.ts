import type { Clock } from '../../server/ports/clock.ts';

/** What a receiver needs of a clock: stamps for what it saw, and waits for what it delays. */
export type ReceiverClock = Pick<Clock, 'now' | 'sleep'>;
