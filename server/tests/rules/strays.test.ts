import { expect, test } from 'vitest';
import { Strays } from '../../delivery/strays.ts';
import { type DeliveryId, deliveryId } from '../../model/delivery.ts';
import type { Held, HeldPage, PageRequest } from '../../storage/delivery-storage.ts';
import { type LogLine, recordingLog } from '../support/engine.ts';

const heldOf = (id: string, destination = 'd', round = 1): Held => ({
  delivery: deliveryId(id),
  destination,
  node: 'n',
  epoch: 1,
  round,
});

/** A storage that answers what the test sets, and a life that knows of what the test says. */
function startStrays() {
  const held: Held[] = [];
  const asked: PageRequest[] = [];
  const [released, woken, logged]: [string[][], string[], LogLine[]] = [[], [], []];
  const time = { now: 1_000 };
  const own = { known: new Set<DeliveryId>(), oldestCallAt: undefined as number | undefined, answeredAgain: 0 };
  const store = {
    held: (page: PageRequest): Promise<HeldPage> => {
      asked.push(page);
      const from = Number(page.after ?? 0);
      const end = from + page.limit;
      return Promise.resolve({ held: held.slice(from, end), next: end < held.length ? String(end) : undefined });
    },
    release: (fences: readonly { readonly delivery: DeliveryId }[]) => {
      released.push(fences.map(({ delivery }) => delivery));
      return Promise.resolve([]);
    },
  };
  const wake = (destination: string): unknown => woken.push(destination);
  const holdings = {
    get known() {
      return own.known;
    },
    get calls() {
      return { oldestAt: own.oldestCallAt, answeredAgain: own.answeredAgain };
    },
    wake: (destination: string): void => void wake(destination),
  };
  const strays = new Strays({ store, clock: { steady: () => time.now }, log: recordingLog(logged) }, holdings);
  const look = async (): Promise<void> => {
    time.now += 10_000;
    await strays.look();
  };
  const wait = async (seconds: number): Promise<void> => {
    for (let second = 0; second < seconds; second += 1) {
      time.now += 1_000;
      await strays.watch();
    }
  };
  return { held, asked, released, woken, logged, own, time, look, wait };
}

test('NODE-6: what nobody knows of is let go when it is found a second time, and its destinations are told once each', async () => {
  const { held, released, woken, logged, look } = startStrays();
  held.push(heldOf('1', 'a'), heldOf('2', 'b'), heldOf('3', 'a'));
  await look();
  expect([released, woken]).toEqual([[], []]);
  await look();
  expect([released, woken]).toEqual([[['1', '2', '3']], ['a', 'b']]);
  expect(logged).toMatchObject([{ level: 'warn', fields: { deliveries: 3 } }]);
});

test('NODE-6: it is looked at what is held every ten seconds, and twice at once when the storage answers again', async () => {
  const { asked, own, wait } = startStrays();
  await wait(9);
  expect(asked).toHaveLength(0);
  await wait(11);
  expect(asked).toHaveLength(2);
  own.answeredAgain += 1;
  await wait(5);
  expect(asked).toHaveLength(4);
  await wait(10);
  expect(asked).toHaveLength(5);
});

test('NODE-6: what is known is kept', async () => {
  const { held, own, released, look } = startStrays();
  held.push(heldOf('1'), heldOf('2'));
  own.known.add(deliveryId('1'));
  await look();
  await look();
  expect(released).toEqual([['2']]);
});

test('NODE-6: where nothing strays, storage is asked to let nothing go', async () => {
  const { released, logged, look } = startStrays();
  await look();
  await look();
  expect([released, logged]).toEqual([[], []]);
});

test('NODE-6: what was taken anew between two looks is no stray yet', async () => {
  const { held, released, look } = startStrays();
  held.push(heldOf('1', 'd', 1));
  await look();
  held.splice(0, 1, heldOf('1', 'd', 2));
  await look();
  expect(released).toEqual([]);
  await look();
  expect(released).toEqual([['1']]);
});

test('NODE-6: a call that is as old as the look before may still bring what was found; a younger one does not', async () => {
  const { held, own, time, released, look } = startStrays();
  held.push(heldOf('1'));
  await look();
  const before = time.now;
  own.oldestCallAt = before;
  await look();
  expect(released).toEqual([]);
  own.oldestCallAt = time.now + 1;
  await look();
  expect(released).toEqual([['1']]);
});

test('NODE-6: what is held is read to its end, a page at a time', async () => {
  const { held, asked, released, look } = startStrays();
  held.push(...Array.from({ length: 1_001 }, (_, index) => heldOf(String(index))));
  await look();
  expect(asked).toEqual([
    { after: undefined, limit: 1_000 },
    { after: '1000', limit: 1_000 },
  ]);
  await look();
  expect(released.map((one) => one.length)).toEqual([1_001]);
});

test('NODE-6: what is found for the first time beside a stray is kept for now', async () => {
  const { held, released, look } = startStrays();
  held.push(heldOf('1'));
  await look();
  held.push(heldOf('2'));
  await look();
  expect(released).toEqual([['1']]);
});
