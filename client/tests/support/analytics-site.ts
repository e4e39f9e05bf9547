import { onTestFinished, vi } from 'vitest';
import { flushOnHide } from '../../analytics/browser/flush-on-hide.ts';
import { pageStore } from '../../analytics/browser/page-store.ts';
import type { Fetch } from '../../analytics/fetch.ts';
import { bench } from './analytics-bench.ts';
import { settle, VirtualClock } from './analytics-virtual-clock.ts';
import { FakeLocalStorage } from './fake-local-storage.ts';

/** A document as a page has it, whose view has the storage of the site. */
class FakePage extends EventTarget {
  visibilityState = 'visible';
  readonly defaultView: EventTarget;

  constructor(localStorage: FakeLocalStorage) {
    super();
    this.defaultView = Object.assign(new EventTarget(), { localStorage });
  }
}

/** The pages of a site, one storage for all of them, and a router that answers after a while. */
export class Site {
  readonly storage = new FakeLocalStorage();
  readonly clock = new VirtualClock();
  /** Ids of the messages that the router took, repeats included. */
  readonly arrived: string[] = [];
  answerMs = 50;
  isDown = false;

  /** Ids are made one after the other: of them it follows whose turn it is, so that each run is the same. */
  constructor() {
    let count = 0;
    const ids = vi.spyOn(crypto, 'randomUUID').mockImplementation(() => {
      const turn = ((count += 1) * 7_919) % 0x1_00_00;
      return `${turn.toString(16).padStart(8, '0').slice(4)}0000-0000-4000-8000-${count.toString(16).padStart(12, '0')}`;
    });
    onTestFinished(() => {
      ids.mockRestore();
      vi.unstubAllGlobals();
    });
  }

  /** Opens a page with a client, which tells the browser's events to it as Chromium does. */
  open({ flushes = true } = {}) {
    const document = new FakePage(this.storage);
    const life = new Life();
    const clock = {
      now: () => this.clock.now(),
      after: (ms: number, run: () => void) => this.clock.after(ms, () => life.run(run)),
    };
    const inPage = <T>(work: () => T): T => {
      vi.stubGlobal('document', document);
      return work();
    };
    const store = inPage(() => pageStore({ writeKey: 'key', clock }));
    const begin = () =>
      inPage(() => {
        const { analytics } = bench({ clock, store, fetch: this.#fetch(life), exitTimeoutMs: 0 });
        if (flushes) flushOnHide(analytics);
        return analytics;
      });
    let analytics = begin();
    const hide = (): void => {
      document.visibilityState = 'hidden';
      document.dispatchEvent(new Event('visibilitychange'));
    };
    return {
      analytics,
      held: () => analytics.statistics.queued + analytics.statistics.inFlight,
      /** Another client in the same page, with the same store. */
      again: () => void (analytics = begin()),
      track: (...ids: readonly string[]) => {
        for (const messageId of ids) inPage(() => analytics.track('ada', 'E', {}, { messageId }));
      },
      /** The page goes, as for a link that was followed; what it began in this turn is still sent. */
      leave: async () => {
        inPage(() => {
          document.defaultView.dispatchEvent(new Event('pagehide'));
          hide();
        });
        for (let turn = 0; turn < 50; turn += 1) await Promise.resolve();
        life.end();
      },
      /** The page is no more, and says nothing. */
      crash: () => life.end(),
      /** The page comes back as it was. */
      show: async () => {
        document.visibilityState = 'visible';
        inPage(() => document.defaultView.dispatchEvent(new Event('pageshow')));
        await inPage(() => life.begin());
      },
    };
  }

  /** What arrived more often than once, each as often as it was too much. */
  get repeats(): number {
    return this.arrived.length - new Set(this.arrived).size;
  }

  /** A request outlives its page; the answer does not reach it. */
  #fetch(life: Life): Fetch {
    return async (_url, { body }) => {
      const { batch }: { batch: { messageId: string }[] } = JSON.parse(String(body));
      if (!this.isDown) this.arrived.push(...batch.map(({ messageId }) => messageId));
      const status = this.isDown ? 503 : 200;
      await new Promise<void>((resolve) => void this.clock.after(this.answerMs, () => life.run(resolve)));
      return { status, headers: new Headers(), text: async () => '{"success":true}' };
    };
  }
}

/** What a page that ended would do waits until it is shown again. */
class Life {
  readonly #waiting: (() => void)[] = [];
  #hasEnded = false;

  run(work: () => void): void {
    if (this.#hasEnded) this.#waiting.push(work);
    else work();
  }

  end(): void {
    this.#hasEnded = true;
  }

  /** Each in a turn of its own. */
  async begin(): Promise<void> {
    this.#hasEnded = false;
    for (const work of this.#waiting.splice(0)) {
      work();
      await settle();
    }
  }
}
