import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { GONE_MS } from '../../analytics/browser/left-entries.ts';
import { Site } from '../support/analytics-site.ts';

/** So long nobody sends again what a page sent as it ended. */
const UNANSWERED_MS = 15_000;
/** Nobody lets others go first for longer. */
const TURN_MS = 1_000;

describe('what a page sent as it ended', () => {
  test('LIB-2: it is sent again after a while, and once, by a page that is there then', async () => {
    const site = new Site();
    const first = site.open();
    first.track('a', 'b');
    await first.leave();
    const next = site.open();
    await site.clock.advance(UNANSWERED_MS - 1);
    expect(site.arrived).toEqual(['a', 'b']);
    await site.clock.advance(1 + TURN_MS);
    expect(site.arrived).toEqual(['a', 'b', 'a', 'b']);
    await site.clock.advance(GONE_MS);
    expect([site.arrived.length, site.storage.items.size, next.analytics.statistics.delivered]).toEqual([4, 0, 2]);
  });

  test('LIB-2: it is sent at once by a page that opens after that while', async () => {
    const site = new Site();
    const first = site.open();
    first.track('a');
    await first.leave();
    await site.clock.advance(UNANSWERED_MS);
    site.open();
    await site.clock.advance(0);
    expect(site.arrived).toEqual(['a', 'a']);
  });

  test('LIB-2: what was called after it, and had no turn, is sent by the next page at once', async () => {
    const site = new Site();
    const first = site.open({ flushes: false });
    first.track('a');
    void first.analytics.flush();
    first.track('b', 'c');
    await site.clock.advance(0);
    await first.leave();
    site.open().track('d');
    await site.clock.advance(1_000);
    expect(site.arrived).toEqual(['a', 'b', 'c', 'd']);
  });

  test.each([true, false])(
    'LIB-2: quick visits send each call twice at most, where pages flush: %j',
    async (flushes) => {
      const site = new Site();
      site.answerMs = 300;
      for (let visit = 0; visit < 50; visit += 1) {
        const page = site.open({ flushes });
        page.track(`m${visit}`);
        await site.clock.advance(100);
        await page.leave();
      }
      site.open({ flushes });
      await site.clock.advance(60_000);
      expect(new Set(site.arrived).size).toBe(50);
      expect(site.repeats).toBeLessThanOrEqual(50);
      expect(site.storage.items.size).toBe(0);
    },
  );

  test('LIB-2: it is sent again by no other page once the page is back', async () => {
    const site = new Site();
    site.isDown = true;
    const first = site.open();
    first.track('a');
    await first.leave();
    await first.show();
    await site.clock.advance(UNANSWERED_MS);
    const other = site.open();
    await site.clock.advance(2 * GONE_MS);
    expect([first.held(), other.held()]).toEqual([1, 0]);
  });

  test('LIB-2: a page that is back after another sent it sends nothing again, and goes on', async () => {
    const site = new Site();
    const first = site.open();
    first.track('a');
    await first.leave();
    const next = site.open();
    await site.clock.advance(UNANSWERED_MS + TURN_MS + 100);
    await next.leave();
    await first.show();
    first.track('b');
    await site.clock.advance(1_000);
    expect([site.arrived, site.storage.items.size]).toEqual([['a', 'a', 'b'], 0]);
  });

  test('LIB-2: it goes at once where the storage has no room to say that it shall wait', async () => {
    const site = new Site();
    const first = site.open();
    first.track('a');
    site.storage.quota = 0;
    await first.leave();
    site.open();
    await site.clock.advance(0);
    expect(site.arrived).toEqual(['a', 'a']);
  });

  test('LIB-2: it is told of as what is left by the close of a client that ended its request', async () => {
    const site = new Site();
    site.answerMs = 60_000;
    const first = site.open();
    first.track('a');
    await site.clock.until(first.analytics.close({ timeoutMs: 1_000 }));
    site.open();
    await site.clock.advance(UNANSWERED_MS - 1);
    expect(site.arrived).toEqual(['a']);
    await site.clock.advance(1 + TURN_MS);
    expect(site.arrived).toEqual(['a', 'a']);
  });
});

describe('what a page left', () => {
  test('LIB-2: it is kept while the page that sends it for another is there', async () => {
    const site = new Site();
    site.isDown = true;
    const first = site.open({ flushes: false });
    first.track('a');
    await first.leave();
    const second = site.open({ flushes: false });
    await site.clock.advance(10 * GONE_MS);
    expect(site.open().held()).toBe(0);
    await second.leave();
    expect(site.open().held()).toBe(1);
  });

  test('LIB-2: it is sent by one page of those that are there, also after a crash', async () => {
    const site = new Site();
    const first = site.open();
    first.track('a');
    first.crash();
    const others = [site.open(), site.open(), site.open()];
    await site.clock.advance(GONE_MS - 1);
    expect(site.arrived).toEqual([]);
    await site.clock.advance(1 + TURN_MS);
    expect(site.arrived).toEqual(['a']);
    for (const page of others) await page.leave();
    await site.clock.advance(2 * GONE_MS);
    expect([site.arrived, site.storage.items.size]).toEqual([['a'], 0]);
  });

  test('LIB-2: a page whose timers were held back takes nothing twice that it keeps itself', async () => {
    const site = new Site();
    site.isDown = true;
    const first = site.open();
    first.track('a');
    first.crash();
    // So that it last said that it is there some time before it looks.
    await site.clock.advance(10_000);
    const page = site.open();
    page.track('b');
    await site.clock.advance(GONE_MS - 10_100);
    site.clock.set(GONE_MS);
    await site.clock.advance(100 + TURN_MS);
    expect(page.held()).toBe(2);
  });

  test('LIB-2: a closed client takes nothing later', async () => {
    const site = new Site();
    const first = site.open();
    first.track('a');
    await first.leave();
    const next = site.open();
    await site.clock.until(next.analytics.close());
    await site.clock.advance(2 * UNANSWERED_MS);
    expect(site.arrived).toEqual(['a']);
    expect(site.open().held()).toBe(1);
  });

  test('LIB-2: a closed store has its next client in the page, and gives it what the last one left', async () => {
    const site = new Site();
    site.isDown = true;
    const page = site.open({ flushes: false });
    page.track('a');
    await site.clock.until(page.analytics.close({ timeoutMs: 1_000 }));
    page.again();
    page.track('b');
    expect(page.held()).toBe(2);
    await page.leave();
    await site.clock.advance(UNANSWERED_MS);
    expect(site.open().held()).toBe(2);
  });

  const STEPS = ['open', 'track', 'leave', 'crash', 'show', 'wait', 'wait long', 'down', 'up'] as const;

  test('LIB-2: whatever pages do, all arrives, and nothing is left on the device', async () => {
    const story = fc.array(fc.tuple(fc.constantFrom(...STEPS), fc.nat(7)), { minLength: 5, maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(story, async (steps) => {
        const site = new Site();
        const pages = [site.open()];
        const gone: typeof pages = [];
        const tracked: string[] = [];
        for (const [step, number] of steps) {
          const page = pages[number % Math.max(1, pages.length)];
          if (step === 'open') pages.push(site.open({ flushes: number % 2 === 0 }));
          if (step === 'track' && page) page.track(tracked[tracked.push(`m${tracked.length}`) - 1] ?? '');
          if (step === 'leave' && page) {
            await page.leave();
            gone.push(...pages.splice(pages.indexOf(page), 1));
          }
          if (step === 'crash' && page) pages.splice(pages.indexOf(page), 1)[0]?.crash();
          if (step === 'show' && gone.length > 0) {
            const back = gone.splice(number % gone.length, 1);
            await back[0]?.show();
            pages.push(...back);
          }
          if (step === 'wait') await site.clock.advance(number * 40);
          if (step === 'wait long') await site.clock.advance(number * 4_000);
          if (step === 'down' || step === 'up') site.isDown = step === 'down';
        }
        site.isDown = false;
        for (const page of pages) await page.leave();
        site.open();
        await site.clock.advance(3 * GONE_MS);
        // The mark of a page that crashed goes with the next that opens.
        site.open();
        expect([...new Set(site.arrived)].toSorted()).toEqual(tracked.toSorted());
        expect(site.storage.items.size).toBe(0);
      }),
      { numRuns: 300, seed: 20_261_129 },
    );
  });
});
