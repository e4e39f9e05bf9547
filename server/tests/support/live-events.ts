import { LiveEvents } from '../../events/live-events.ts';
import type { Clock } from '../../ports/clock.ts';

/** For tests that watch no events: whoever watches is told nothing but the first message, as no time passes. */
export function stillLive(): LiveEvents {
  return new LiveEvents({ clock: { sleep: untilAborted }, stopping: new AbortController().signal });
}

const untilAborted: Clock['sleep'] = (_ms, signal) =>
  new Promise((resolve) => signal?.addEventListener('abort', () => resolve()));
