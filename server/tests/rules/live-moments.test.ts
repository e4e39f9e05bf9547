import { expect, test } from 'vitest';
import { VirtualClock } from '../../../testbed/simulation/virtual-clock.ts';
import {
  LiveEvents,
  MAX_OF_HOLDER,
  MAX_OF_WORKSPACE,
  MAX_WATCHERS,
  type Moment,
  type Watcher,
} from '../../events/live-events.ts';
import type { Routed } from '../../events/route.ts';
import { eventOf } from '../support/engine.ts';

const SOURCE = 'workspaces/main/sources/js';
const MOMENT_MS = 500;
const BEAT_MS = 15_000;

function routed(index: number): Routed {
  return { source: SOURCE, event: eventOf(0, { messageId: `m${index}` }), to: [`${SOURCE}/destinations/webhooks`] };
}

function startLive() {
  const [clock, stopping] = [new VirtualClock(), new AbortController()];
  return { clock, stopping, live: new LiveEvents({ clock, stopping: stopping.signal }) };
}

/** Someone who watches: what moments were heard, how many events each had, and what else was said. */
function watcherOf(holder: string) {
  const [moments, counts, calls]: [Moment[], number[], string[]] = [[], [], []];
  const watcher: Watcher = {
    holder,
    hear: (moment) => {
      moments.push(moment);
      counts.push(moment.count);
    },
    beat: () => Promise.resolve(void calls.push('beat')),
    stop: () => void calls.push('stop'),
  };
  return { watcher, moments, counts, calls };
}

test('while nobody watches nothing is done with events', () => {
  const { live } = startLive();
  const untouched = new Proxy<Routed[]>([], {
    get: (_list, key) => {
      throw new Error(`somebody read ${String(key)}`);
    },
  });
  expect(() => live.tell(untouched, [])).not.toThrow();
});

test('who leaves hears nothing more, and the others of its source hear each moment once', async () => {
  const { clock, live } = startLive();
  const [leaver, stayer] = [watcherOf('a'), watcherOf('b')];
  const [leave, leaveToo] = [leaver, stayer].map(({ watcher }) => live.watch(SOURCE, watcher));
  live.tell([routed(1), routed(2)], [true, true]);
  await clock.advance(MOMENT_MS);
  leave?.();
  live.tell([routed(3)], [true]);
  await clock.advance(MOMENT_MS);
  expect([leaver.counts, stayer.counts]).toEqual([[2], [2, 1]]);
  live.tell([routed(4)], [true]);
  leaveToo?.();
  await clock.advance(MOMENT_MS);
  // A moment that went on when the last one left is nobody's.
  const late = watcherOf('c');
  live.watch(SOURCE, late.watcher);
  await clock.advance(MOMENT_MS);
  live.tell([routed(5)], [true]);
  await clock.advance(MOMENT_MS);
  expect([stayer.counts, late.counts]).toEqual([[2, 1], [1]]);
});

test('a moment begins with its first event, however many came before', async () => {
  const { clock, live } = startLive();
  const { watcher, counts } = watcherOf('a');
  live.watch(SOURCE, watcher);
  live.tell([routed(1), routed(2)], [true, true]);
  await clock.advance(MOMENT_MS - 100);
  live.tell([routed(3)], [true]);
  await clock.advance(100);
  expect(counts).toEqual([3]);
  await clock.advance(100);
  live.tell([routed(4)], [true]);
  await clock.advance(MOMENT_MS - 1);
  expect(counts).toEqual([3]);
  await clock.advance(1);
  expect(counts).toEqual([3, 1]);
});

test('a holder has a limited number of watchers, and so have all together', () => {
  const { live } = startLive();
  const holders = MAX_WATCHERS / MAX_OF_HOLDER;
  for (let holder = 0; holder < holders; holder += 1) {
    const source = `workspaces/w${holder % 2}/sources/js`;
    const leaves = Array.from({ length: MAX_OF_HOLDER }, () => live.watch(source, watcherOf(`h${holder}`).watcher));
    expect(leaves).not.toContain(undefined);
    expect(live.watch(source, watcherOf(`h${holder}`).watcher)).toBeUndefined();
  }
  expect(live.watch(SOURCE, watcherOf('another').watcher)).toBeUndefined();
});

test('however many tokens a workspace has, others can watch theirs', () => {
  const { live } = startLive();
  const leaves = Array.from({ length: MAX_WATCHERS }, (_, holder) =>
    live.watch(`${SOURCE}${holder}`, watcherOf(`h${holder}`).watcher),
  );
  expect(leaves.filter((leave) => leave !== undefined)).toHaveLength(MAX_OF_WORKSPACE);
  expect(live.watch('workspaces/other/sources/js', watcherOf('another').watcher)).toBeDefined();
  leaves[0]?.();
  expect(live.watch(SOURCE, watcherOf('late').watcher)).toBeDefined();
});

test('a moment has the first of its events that are new and of its source, in order', async () => {
  const { clock, live } = startLive();
  const [one, other] = [watcherOf('a'), watcherOf('b')];
  live.watch(SOURCE, one.watcher);
  live.watch(`${SOURCE}2`, other.watcher);
  const events = Array.from({ length: 30 }, (_, index) => routed(index));
  const isNew = events.map((_, index) => index !== 1);
  live.tell(
    [...events, { ...routed(30), source: `${SOURCE}2` }, { ...routed(31), source: `${SOURCE}3` }],
    [...isNew, true, true],
  );
  await clock.advance(MOMENT_MS);
  const first = events.filter((_, index) => index !== 1).slice(0, 25);
  expect(one.moments).toEqual([{ count: 29, events: first }]);
  expect(other.moments).toEqual([{ count: 1, events: [{ ...routed(30), source: `${SOURCE}2` }] }]);
});

test('each watcher has its beat every fifteen seconds, for as long as somebody watches', async () => {
  const { clock, live } = startLive();
  const [early, late] = [watcherOf('a'), watcherOf('b')];
  const leaveEarly = live.watch(SOURCE, early.watcher);
  await clock.advance(BEAT_MS - 1);
  expect(early.calls).toEqual([]);
  const leaveLate = live.watch(SOURCE, late.watcher);
  await clock.advance(1);
  expect([early.calls, late.calls]).toEqual([['beat'], ['beat']]);
  leaveEarly?.();
  await clock.advance(BEAT_MS);
  expect([early.calls, late.calls]).toEqual([['beat'], ['beat', 'beat']]);
  leaveLate?.();
  await clock.advance(0);
  expect(clock.sleepers).toBe(0);
  // And anew for who comes after that.
  live.watch(SOURCE, early.watcher);
  await clock.advance(BEAT_MS);
  expect([early.calls, late.calls]).toEqual([
    ['beat', 'beat'],
    ['beat', 'beat'],
  ]);
});

test('when the router stops, each watcher is told, nothing is waited for, and nobody may watch any more', async () => {
  const { clock, stopping, live } = startLive();
  const watchers = [watcherOf('a'), watcherOf('b')];
  for (const { watcher } of watchers) live.watch(SOURCE, watcher);
  live.tell([routed(1)], [true]);
  expect(clock.sleepers).toBe(2);
  stopping.abort();
  await clock.advance(0);
  expect(watchers.map(({ calls }) => calls)).toEqual([['stop'], ['stop']]);
  expect(clock.sleepers).toBe(0);
  expect(live.watch(SOURCE, watcherOf('c').watcher)).toBeUndefined();
});

test('who leaves makes room for another of the same holder', () => {
  const { live } = startLive();
  const leaves = Array.from({ length: MAX_OF_HOLDER }, () => live.watch(SOURCE, watcherOf('a').watcher));
  expect(live.watch(SOURCE, watcherOf('a').watcher)).toBeUndefined();
  leaves[0]?.();
  expect(live.watch(SOURCE, watcherOf('a').watcher)).toBeDefined();
});

test('who comes while the moment of those who left goes on hears nothing of it', async () => {
  const { clock, live } = startLive();
  const [leaver, late] = [watcherOf('a'), watcherOf('b')];
  const leave = live.watch(SOURCE, leaver.watcher);
  live.tell([routed(1)], [true]);
  leave?.();
  live.watch(SOURCE, late.watcher);
  await clock.advance(MOMENT_MS);
  for (const index of [2, 3]) {
    live.tell([routed(index)], [true]);
    await clock.advance(MOMENT_MS);
  }
  expect(leaver.moments).toEqual([]);
  expect(late.moments).toEqual([2, 3].map((index) => ({ count: 1, events: [routed(index)] })));
});

test('who leaves twice has left once, and a router stops as well while nobody watches', async () => {
  const { clock, stopping, live } = startLive();
  const [leave, stay] = ['a', 'b'].map((holder) => live.watch(`${SOURCE}-${holder}`, watcherOf(holder).watcher));
  for (const done of [leave, leave, stay, stay]) done?.();
  await clock.advance(0);
  expect(clock.sleepers).toBe(0);
  stopping.abort();
  await clock.advance(0);
  expect(live.watch(SOURCE, watcherOf('c').watcher)).toBeUndefined();
});
