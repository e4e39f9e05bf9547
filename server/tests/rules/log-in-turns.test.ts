import { expect, test } from 'vitest';
import { deliveryId } from '../../model/delivery.ts';
import { logInTurns } from '../../resources/log-in-turns.ts';
import type { DeliveryLog, LogPage } from '../../storage/delivery-log.ts';
import { examine } from '../../storage/file/deliveries/query.ts';

/** A log whose calls a test ends by hand. */
class HeldLog implements DeliveryLog {
  readonly asked: string[] = [];
  readonly #open: PromiseWithResolvers<void>[] = [];

  list = async ({ destination }: { readonly destination: string }): Promise<LogPage> => {
    await this.#held(`list ${destination}`);
    return { deliveries: [] };
  };

  read = async ({ destination }: { readonly destination: string }): Promise<undefined> => {
    await this.#held(`read ${destination}`);
    return undefined;
  };

  counts = async ({ destination }: { readonly destination: string }): Promise<[]> => {
    await this.#held(`counts ${destination}`);
    return [];
  };

  sums = async ({ destinations }: { readonly destinations: readonly string[] }) => {
    await this.#held(`sums ${destinations.join(' ')}`);
    return { destinations: [], hours: [] };
  };

  /** The call that began first ends. */
  async end(error?: Error): Promise<void> {
    const first = this.#open.shift();
    if (error === undefined) first?.resolve();
    else first?.reject(error);
    await new Promise(setImmediate);
  }

  #held(what: string): Promise<void> {
    this.asked.push(what);
    const held = Promise.withResolvers<void>();
    this.#open.push(held);
    return held.promise;
  }
}

const [OWN, OTHER] = ['workspaces/a/sources/s/destinations/d', 'workspaces/b/sources/s/destinations/d'];
const SPAN = { from: 0, to: 1 };

function query(destination: string) {
  return { destination, filter: {}, limit: 10 };
}

test('the log is asked for four things at once, and for the next as soon as one has ended', async () => {
  const held = new HeldLog();
  const log = logInTurns(held);
  const all: Promise<unknown>[] = [
    log.list(query(OWN)),
    log.read({ destination: OWN, delivery: deliveryId('1') }),
    log.counts({ destination: OWN, ...SPAN }),
  ];
  all.push(log.sums({ destinations: [OWN], ...SPAN }), log.list(query(OWN)), log.counts({ destination: OWN, ...SPAN }));
  expect(held.asked).toEqual([`list ${OWN}`, `read ${OWN}`, `counts ${OWN}`, `sums ${OWN}`]);
  await held.end();
  expect(held.asked.slice(4)).toEqual([`list ${OWN}`]);
  for (let left = 0; left < 5; left += 1) await held.end();
  expect(held.asked.at(-1)).toBe(`counts ${OWN}`);
  await Promise.all(all);
});

test.each([
  { what: 'list', ask: (log: DeliveryLog) => log.list(query(OTHER)) },
  { what: 'counts', ask: (log: DeliveryLog) => log.counts({ destination: OTHER, ...SPAN }) },
  { what: 'sums', ask: (log: DeliveryLog) => log.sums({ destinations: [OTHER], ...SPAN }) },
])('however much a workspace asks, $what of another is soon answered', async ({ what, ask }) => {
  const held = new HeldLog();
  const log = logInTurns(held);
  const flood = Array.from({ length: 100 }, () => log.list(query(OWN)));
  const own = ask(log);
  await held.end();
  await held.end();
  expect(held.asked.slice(4)).toEqual([`list ${OWN}`, `${what} ${OTHER}`]);
  for (let left = 0; left < 99; left += 1) await held.end();
  await Promise.all([own, ...flood]);
});

test('a call that fails has its own reason, and leaves its place to the next', async () => {
  const held = new HeldLog();
  const log = logInTurns(held);
  const all = Array.from({ length: 5 }, () => log.list(query(OWN)));
  const failing = Promise.allSettled(all.slice(0, 1));
  await held.end(new Error('the store is closed'));
  expect(await failing).toEqual([{ status: 'rejected', reason: new Error('the store is closed') }]);
  expect(held.asked).toHaveLength(5);
  for (let left = 0; left < 4; left += 1) await held.end();
  await Promise.all(all.slice(1));
  // Nothing is left of it: four more begin at once.
  const more = Array.from({ length: 4 }, () => log.list(query(OWN)));
  expect(held.asked).toHaveLength(9);
  for (let left = 0; left < 4; left += 1) await held.end();
  await Promise.all(more);
});

test('SAFE-2: of rows that the disk has to read, few are looked at in one call, and of others 2,000', () => {
  const rows = Array.from({ length: 3_000 }, (_, index) => index);
  const examined = (ms: number): number => {
    let count = 0;
    const look = (): boolean => {
      count += 1;
      for (const end = performance.now() + ms; performance.now() < end;);
      return true;
    };
    expect(examine(rows, look)).toEqual({ last: count - 1, isMore: true });
    return count;
  };
  expect(examined(1)).toBe(50);
  expect(Math.max(...Array.from({ length: 5 }, () => examined(0)))).toBe(2_000);
  expect(examine([1, 2], () => true)).toEqual({ last: 2, isMore: false });
});
