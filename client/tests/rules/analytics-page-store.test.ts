import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { GONE_MS } from '../../analytics/browser/left-entries.ts';
import { MOST_CHARACTERS, pageStore } from '../../analytics/browser/page-store.ts';
import { bench } from '../support/analytics-bench.ts';
import type { Step } from '../support/analytics-fake-server.ts';
import { VirtualClock } from '../support/analytics-virtual-clock.ts';
import { FakeLocalStorage } from '../support/fake-local-storage.ts';

const UNREACHABLE: readonly Step[] = Array<Step>(1_000).fill('reset');

let [storage, clock] = [new FakeLocalStorage(), new VirtualClock()];

beforeEach(() => {
  [storage, clock] = [new FakeLocalStorage(), new VirtualClock()];
});

afterEach(() => vi.unstubAllGlobals());

/** A page of the site, its client and what its server took; `leave` is its end as browsers tell it. */
function openPage(plan: readonly Step[] = [], writeKey = 'key', localStorage = (): unknown => storage) {
  const view = Object.defineProperty(new EventTarget(), 'localStorage', { get: localStorage });
  vi.stubGlobal('document', { visibilityState: 'visible', defaultView: view });
  const store = pageStore({ writeKey, clock });
  const opened = bench({ clock, store, uploadInterval: 1 }, plan);
  const tell = (type: string): void => void view.dispatchEvent(new Event(type));
  const held = (): number => opened.analytics.statistics.queued + opened.analytics.statistics.inFlight;
  return { ...opened, store, held, leave: () => tell('pagehide'), show: () => tell('pageshow') };
}

type Page = ReturnType<typeof openPage>;

function throwing(error: unknown): never {
  throw error;
}

const track = ({ analytics }: Page, ...ids: readonly string[]) =>
  ids.map((messageId) => analytics.track('ada', 'E', {}, { messageId }).ok);

describe('calls that wait in a page', () => {
  test('LIB-2: they outlive it, and are sent by the next, once and in their order', async () => {
    const first = openPage(UNREACHABLE);
    track(first, 'a', 'b', 'c');
    await clock.advance(5_000);
    first.leave();
    const next = openPage();
    await next.analytics.flush();
    expect(next.server.acceptedIds).toEqual(['a', 'b', 'c']);
    expect([...storage.items]).toEqual([]);
    const last = openPage();
    expect(last.held()).toBe(0);
  });

  test('LIB-2: they outlive one that never said that it ended, once it is not seen any more', async () => {
    track(openPage(UNREACHABLE), 'a');
    const early = openPage();
    expect(early.held()).toBe(0);
    const marks = [...storage.items].filter(([, value]) => /^\d+$/.test(value));
    expect(marks).toHaveLength(1);
    clock.set(GONE_MS);
    expect(openPage().held()).toBe(1);
  });

  test.each([GONE_MS, -GONE_MS])('LIB-2: a clock that was set by %i ms keeps none of them', (byMs) => {
    track(openPage(UNREACHABLE), 'a');
    clock.set(byMs);
    expect(openPage().held()).toBe(1);
  });

  test('LIB-2: they are sent in their order by the next, also when the clock was set back between them', async () => {
    const first = openPage(UNREACHABLE);
    track(first, 'a');
    clock.set(-60_000);
    track(first, 'b', 'c');
    first.leave();
    const next = openPage();
    await next.analytics.flush();
    expect(next.server.acceptedIds).toEqual(['a', 'b', 'c']);
  });

  test('LIB-2: they are sent by no other page while theirs is there, however long they wait', async () => {
    const first = openPage(UNREACHABLE);
    track(first, 'a');
    await clock.advance(10 * GONE_MS);
    expect(openPage().held()).toBe(0);
  });

  test('LIB-2: they are sent by the page that is shown again, unless another did', async () => {
    const first = openPage(UNREACHABLE);
    track(first, 'a');
    first.leave();
    first.show();
    expect(openPage().held()).toBe(0);
  });

  test('LIB-2: those that are made as their page ends are sent by the next, too', () => {
    const first = openPage(UNREACHABLE);
    first.leave();
    track(first, 'a');
    const second = openPage(UNREACHABLE);
    expect(second.held()).toBe(1);
    second.leave();
    second.show();
    track(second, 'b');
    expect(openPage().held()).toBe(0);
  });

  test('LIB-2: they outlive a client that is closed before they are sent', async () => {
    const first = openPage(UNREACHABLE);
    track(first, 'a');
    await clock.until(first.analytics.close({ timeoutMs: 10 }));
    expect(openPage().held()).toBe(1);
  });

  test('LIB-2: they are sent with no other write key', () => {
    const first = openPage(UNREACHABLE, 'key');
    track(first, 'a');
    first.leave();
    expect(openPage([], 'key:').held()).toBe(0);
    expect(openPage([], 'ke').held()).toBe(0);
    expect(openPage([], 'key').held()).toBe(1);
  });

  test('LIB-2: they leave nothing behind once they ended, given up for good as well', async () => {
    const page = openPage([400]);
    track(page, 'a');
    await page.analytics.flush();
    track(page, 'b');
    await page.analytics.flush();
    expect([page.server.acceptedIds, [...storage.items]]).toEqual([['b'], []]);
    expect(clock.pending).toBe(0);
  });

  test('LIB-2: they take a limited part of what the site may store; more wait in memory, and all are sent', async () => {
    const page = openPage(['stall']);
    const properties = { text: 'x'.repeat(10_000) };
    const taken = Array.from({ length: 150 }, () => page.analytics.track('ada', 'E', properties).ok);
    expect(new Set(taken)).toEqual(new Set([true]));
    const size = [...storage.items.values()].reduce((sum, { length }) => sum + length, 0);
    expect(size).toBeGreaterThan(MOST_CHARACTERS - 11_000);
    expect(size).toBeLessThan(MOST_CHARACTERS + 100);
    await clock.until(page.analytics.flush());
    expect(page.server.accepted).toHaveLength(150);
    track(page, 'again');
    expect(storage.items.size).toBe(2);
  });

  test('LIB-2: a page that found no room keeps them once others left some', async () => {
    const full = openPage(UNREACHABLE);
    track(full, 'filler');
    const [name = ''] = [...storage.items.keys()].filter((key) => key.endsWith(':1'));
    storage.setItem(name, 'x'.repeat(MOST_CHARACTERS));
    const page = openPage();
    track(page, 'a');
    await page.analytics.flush();
    storage.removeItem(name);
    await clock.advance(60_000);
    track(page, 'b');
    expect([...storage.items.values()].filter((value) => value.includes('"b"'))).toHaveLength(1);
  });

  test('LIB-2: a page that keeps none learns that others took the room', async () => {
    const [page, other] = [openPage(UNREACHABLE), openPage(UNREACHABLE)];
    track(page, 'a');
    await clock.until(page.analytics.close({ timeoutMs: 10 }));
    track(other, 'b');
    const [name = ''] = [...storage.items.keys()].filter((key) => key.endsWith(':1'));
    storage.setItem(name, 'x'.repeat(MOST_CHARACTERS));
    await clock.advance(60_000);
    track(other, 'c');
    expect([...storage.items.values()].filter((value) => value.includes('"c"'))).toEqual([]);
  });

  test('LIB-2: they wait in memory where a site has no room, and are sent', async () => {
    storage.quota = 200;
    const page = openPage();
    expect(track(page, 'a', 'b')).toEqual([true, true]);
    await page.analytics.flush();
    expect([page.server.acceptedIds, storage.items.size]).toEqual([['a', 'b'], 0]);
  });

  test.each([
    ['is not there', () => undefined],
    ['is null', () => null],
    ['throws', () => throwing(new DOMException('Access is denied for this document.', 'SecurityError'))],
  ])('LIB-2: they wait in memory where the storage %s, and are sent', async (_how, localStorage) => {
    const page = openPage([], 'key', localStorage);
    expect(track(page, 'a')).toEqual([true]);
    await page.analytics.flush();
    page.store.clear();
    expect(page.server.acceptedIds).toEqual(['a']);
  });

  test.each([undefined, null, { defaultView: null }])(
    'LIB-2: they are kept in no storage that a server has for all whose pages it renders (document %o)',
    async (document) => {
      vi.stubGlobal('document', document);
      vi.stubGlobal('localStorage', storage);
      const store = pageStore({ writeKey: 'key', clock });
      const { analytics, server } = bench({ clock, store, uploadInterval: 1 }, ['reset']);
      analytics.track('ada', 'E', {}, { messageId: 'a' });
      await clock.until(analytics.flush());
      expect([server.acceptedIds, storage.writes]).toEqual([['a'], 0]);
    },
  );

  test('LIB-2: what is none of them is removed, or left alone, and keeps none from being sent', async () => {
    const first = openPage(UNREACHABLE);
    track(first, 'a');
    const [name = ''] = [...storage.items.keys()].filter((key) => key.endsWith(':1'));
    first.leave();
    for (const [at, value] of ['', '7', 'x {"messageId":"b"', '1 {"messageId":7}', '1 null'].entries())
      storage.setItem(`${name}${at}`, value);
    storage.setItem('waybill:key:other', 'theirs');
    storage.setItem('cart', '[]');
    const next = openPage();
    await next.analytics.flush();
    expect(next.server.acceptedIds).toEqual(['a']);
    expect([...storage.items.keys()]).toEqual(['waybill:key:other', 'cart']);
  });

  test('LIB-2: of two with one id the second is kept', async () => {
    const first = openPage(UNREACHABLE);
    track(first, 'a', 'b', 'a');
    first.leave();
    const next = openPage();
    await next.analytics.flush();
    expect(next.server.acceptedIds).toEqual(['b', 'a']);
  });

  test('LIB-2: they are forgotten on the device when somebody says so, in all pages; the page that has them sends them', async () => {
    const first = openPage(['reset']);
    track(first, 'a');
    openPage().store.clear();
    expect([...storage.items]).toEqual([]);
    await clock.until(first.analytics.flush());
    expect([first.server.acceptedIds, [...storage.items]]).toEqual([['a'], []]);
  });

  test('LIB-2: what a page calls after another forgot all is sent by no other while it is there', async () => {
    const first = openPage(UNREACHABLE);
    track(first, 'a');
    openPage().store.clear();
    track(first, 'b', 'c');
    expect(openPage().held()).toBe(0);
    await clock.advance(10 * GONE_MS);
    expect(openPage().held()).toBe(0);
    first.leave();
    expect(openPage().held()).toBe(2);
  });

  test('LIB-2: those of a write key that begins like another are kept when those of the other are forgotten', () => {
    const longer = openPage(UNREACHABLE, 'key:');
    track(longer, 'a');
    longer.leave();
    openPage([], 'key').store.clear();
    expect(openPage([], 'key:').held()).toBe(1);
  });

  test('LIB-2: those that an earlier page left go out at once: quick visits send few of them again', async () => {
    const first = openPage(UNREACHABLE);
    track(first, 'a', 'b');
    first.leave();
    const visit = openPage();
    await clock.advance(0);
    expect([visit.server.acceptedIds, storage.items.size]).toEqual([['a', 'b'], 0]);
  });

  test('LIB-2: they cost as much each, however many wait', () => {
    const page = openPage(['stall']);
    track(page, 'first');
    const before = storage.writes;
    track(page, ...Array.from({ length: 1_000 }, (_one, at) => `m${at}`));
    expect(storage.writes - before).toBe(1_000);
  });
});
