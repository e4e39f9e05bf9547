import { expect, test } from 'vitest';
import { VirtualClock } from '../../../testbed/simulation/virtual-clock.ts';
import { amountOf } from '../../delivery/scheduler.ts';
import { backlogPages, claimed, putBack } from '../../delivery/supply.ts';
import { type Claim, deliveryId, type Fence } from '../../model/delivery.ts';
import type { Backlog, BacklogPage, ClaimRequest, PageRequest } from '../../storage/delivery-storage.ts';
import { OutcomeUnknown } from '../../storage/errors.ts';
import { type LogLine, messageOf, recordingLog } from '../support/engine.ts';

const clock = new VirtualClock();
const tenure = { holds: true, isEndless: false };

const claimOf = (id: string): Claim => ({
  delivery: deliveryId(id),
  node: 'n',
  epoch: 1,
  round: 1,
  destination: 'd',
  message: messageOf(clock),
  tries: 0,
  closed: [],
});

const claim = (): Promise<never> => Promise.reject(new Error('no answer'));

/** A storage to which claims go back; each answer is one that the test gives, and none after the last. */
function startSupply(answers: readonly (Error | undefined)[]) {
  const logged: LogLine[] = [];
  const asked: string[][] = [];
  const release = (fences: readonly Fence[]): Promise<readonly number[]> => {
    const answer = answers[asked.length];
    asked.push(fences.map(({ delivery }) => delivery));
    return answer === undefined ? Promise.resolve([]) : Promise.reject(answer);
  };
  return { ports: { store: { release, claim }, clock, log: recordingLog(logged) }, asked, logged };
}

test('claims that storage takes back are given to it once', async () => {
  const { ports, asked } = startSupply([]);
  expect(await putBack(ports, [claimOf('1'), claimOf('2')], tenure)).toBeUndefined();
  expect(asked).toEqual([['1', '2']]);
});

test('where there is nothing to put back, storage is not asked', async () => {
  const { ports, asked } = startSupply([]);
  expect(await putBack(ports, [], tenure)).toBeUndefined();
  expect(asked).toEqual([]);
});

test('claims that storage refuses to take back stay, with the reason', async () => {
  const { ports, asked } = startSupply([new Error('full')]);
  expect(await putBack(ports, [claimOf('1')], tenure)).toBe('Error: full');
  expect(asked).toEqual([['1']]);
});

test('NODE-2: what may have been put back is asked for again a moment later, until storage answers', async () => {
  const { ports, asked } = startSupply([new OutcomeUnknown('lost'), new OutcomeUnknown('lost')]);
  const put = putBack(ports, [claimOf('1')], tenure);
  await clock.advance(199);
  expect(asked.length).toBe(1);
  await clock.advance(1);
  expect(asked.length).toBe(2);
  await clock.advance(200);
  expect(asked.length).toBe(3);
  expect(await put).toBeUndefined();
});

test('NODE-3: a router whose lease is over asks no more whether its claims were put back', async () => {
  const { ports, asked } = startSupply([new OutcomeUnknown('lost')]);
  expect(await putBack(ports, [claimOf('1')], { ...tenure, holds: false })).toContain('lost');
  expect(asked.length).toBe(1);
});

test('deliveries that could not be claimed are logged with their destination and the reason', async () => {
  const { ports, logged } = startSupply([]);
  const request: ClaimRequest = { destination: 'd', which: 'probe', limit: 1 };
  expect(await claimed(ports, request)).toBeUndefined();
  expect(logged).toMatchObject([{ level: 'error', fields: { destination: 'd', reason: 'Error: no answer' } }]);
});

const queueOf = (destination: string): Backlog => ({ destination, nextDueAt: 2, oldestReceivedAt: 1 });

test('a backlog is read to its end, a page of two hundred destinations at a time', async () => {
  const asked: PageRequest[] = [];
  const pages: BacklogPage[] = [
    { queues: [queueOf('a'), queueOf('b')], next: 'b' },
    { queues: [queueOf('c')], next: undefined },
  ];
  const backlog = (page: PageRequest): Promise<BacklogPage> => {
    asked.push(page);
    return Promise.resolve(pages[asked.length - 1] ?? { queues: [], next: undefined });
  };
  const read = await Array.fromAsync(backlogPages({ backlog }));
  expect(read.map((queues) => queues.map(({ destination }) => destination))).toEqual([['a', 'b'], ['c']]);
  expect(asked).toEqual([
    { after: undefined, limit: 200 },
    { after: 'b', limit: 200 },
  ]);
});

test('an amount is so many claims, and the bytes of those whose size is known', () => {
  expect(amountOf([{ ...claimOf('1'), bytes: 5 }, claimOf('2'), { ...claimOf('3'), bytes: 7 }])).toEqual({
    count: 3,
    bytes: 12,
  });
  expect(amountOf([])).toEqual({ count: 0, bytes: 0 });
});
