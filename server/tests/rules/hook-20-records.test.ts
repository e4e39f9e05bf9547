import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { VirtualClock } from '../../../testbed/simulation/virtual-clock.ts';
import { type RecordedRound, Recorder } from '../../delivery/recorder.ts';
import { type Claim, deliveryId, type RoundRecord } from '../../model/delivery.ts';
import type { Recorded } from '../../storage/delivery-storage.ts';
import { NotStorable } from '../../storage/errors.ts';
import { storeInHalves } from '../../storage/in-halves.ts';
import { type LogLine, messageOf, recordingLog } from '../support/engine.ts';

const DESTINATION = 'workspaces/main/sources/js/destinations/webhooks';
const NOTHING: Recorded = { refused: [], next: [] };

function roundOf(number: number): RecordedRound {
  const fence = { delivery: deliveryId(String(number)), node: 'n1', epoch: 1, round: 1 };
  const times = { endedAt: 0, ageMs: 0, receivedAt: 0 };
  return { ...fence, destination: DESTINATION, attempts: [], verdict: { state: 'delivered' }, ...times };
}

const idsOf = (rounds: readonly RoundRecord[]): string[] => rounds.map(({ delivery }) => delivery);

/** A recorder over storage that answers when, and as, the test says. */
function startRecorder() {
  const [clock, logged] = [new VirtualClock(), new Array<LogLine>()];
  const [writes, told]: [string[][], [rounds: string[], next: readonly Claim[]][]] = [[], []];
  let answer = Promise.withResolvers<Recorded>();
  const record = (rounds: readonly RoundRecord[]): Promise<Recorded> => {
    writes.push(idsOf(rounds));
    return answer.promise;
  };
  const ports = { store: { record }, clock, log: recordingLog(logged) };
  const recorder = new Recorder(ports, (rounds, next) => told.push([idsOf(rounds), next]));
  /** Storage answers what is being written, and what comes after waits again. */
  const settle = async (end: (given: PromiseWithResolvers<Recorded>) => void): Promise<void> => {
    const given = answer;
    answer = Promise.withResolvers();
    end(given);
    await nextTurn();
  };
  return { recorder, clock, logged, writes, told, settle };
}

test('HOOK-20: rounds that storage cannot write are written again until it can, and are known meanwhile', async () => {
  const { recorder, clock, logged, writes, told, settle } = startRecorder();
  expect(recorder.unwritten()).toEqual([]);
  recorder.add(roundOf(1));
  await settle(({ reject }) => reject(new Error('disk full')));
  recorder.add(roundOf(2));
  expect(idsOf(recorder.unwritten())).toEqual(['1', '2']);
  await clock.advance(999);
  expect(writes).toEqual([['1']]);
  await clock.advance(1);
  await settle(({ resolve }) => resolve(NOTHING));
  await settle(({ resolve }) => resolve(NOTHING));
  expect(writes).toEqual([['1'], ['1'], ['2']]);
  expect(told.map(([rounds]) => rounds)).toEqual([['1'], ['2']]);
  expect(recorder.unwritten()).toEqual([]);
  const fields = { rounds: 1, reason: 'disk full' };
  expect(logged).toEqual([{ level: 'error', message: 'rounds could not be recorded; trying again', fields }]);
});

test('NODE-3: rounds that storage refused are not counted, and what was taken in their place is told', async () => {
  const { recorder, clock, told, settle } = startRecorder();
  for (const number of [1, 2, 3]) recorder.add(roundOf(number));
  await settle(({ resolve }) => resolve(NOTHING));
  const next: Claim = { ...roundOf(4), message: messageOf(clock), tries: 0, closed: [] };
  await settle(({ resolve }) => resolve({ refused: [0], next: [next] }));
  expect(told).toEqual([
    [['1'], []],
    [['3'], [next]],
  ]);
});

test('HOOK-20: a recorder is behind from 2 000 rounds on that are not written', async () => {
  const { recorder, settle } = startRecorder();
  for (let number = 1; number < 2_000; number += 1) recorder.add(roundOf(number));
  expect(recorder.isBehind).toBe(false);
  recorder.add(roundOf(2_000));
  expect(recorder.isBehind).toBe(true);
  await settle(({ resolve }) => resolve(NOTHING));
  expect(recorder.isBehind).toBe(false);
});

const ATTEMPT = {
  webhook: 'https://example.test/',
  number: 0,
  startedAt: 0,
  durationMs: 1,
  outcome: 'delivered',
  status: 200,
  excerpt: '',
  rule: 'HOOK-8',
} as const;

/** A recorder over storage that refuses all rounds that are written with one that it refuses; and what it has stored. */
function startRefused(isRefused: (round: RoundRecord) => boolean) {
  const [clock, logged, stored] = [new VirtualClock(), new Array<LogLine>(), new Array<string>()];
  const refusing = { isRefused };
  const record = async (rounds: readonly RoundRecord[]): Promise<Recorded> => {
    if (rounds.some((round) => refusing.isRefused(round))) throw new NotStorable('refused (22003)');
    stored.push(...rounds.map(({ delivery, attempts }) => `${delivery} ${attempts.length}`));
    return NOTHING;
  };
  const told: string[] = [];
  const recorder = new Recorder({ store: { record }, clock, log: recordingLog(logged) }, (rounds) =>
    told.push(...idsOf(rounds)),
  );
  const add = (...numbers: readonly number[]): void =>
    numbers.forEach((number) => recorder.add({ ...roundOf(number), attempts: [ATTEMPT] }));
  return { recorder, clock, logged, stored, told, refusing, add };
}

test('SAFE-2: a round whose attempts storage refuses is recorded without them, and holds up no others', async () => {
  const { recorder, clock, logged, stored, told, add } = startRefused(
    ({ delivery, attempts }) => delivery === '4' && attempts.length > 0,
  );
  add(1);
  await clock.advance(0);
  add(2, 3, 4, 5, 6);
  await clock.advance(0);
  expect(stored).toEqual(['1 1', '2 1', '3 1', '5 1', '6 1', '4 0']);
  expect(told).toEqual(['1', '2', '3', '5', '6', '4']);
  expect(recorder.unwritten()).toEqual([]);
  const fields = { rounds: 1, kept: 0, destination: DESTINATION, reason: 'refused (22003)' };
  expect(logged).toMatchObject([{ level: 'error', fields }]);
});

test('SAFE-2: a round that storage refuses stays known, is not sent again, and holds up no others', async () => {
  const { recorder, clock, stored, told, add } = startRefused(({ delivery }) => delivery === '1');
  add(1);
  await clock.advance(0);
  add(2, 3);
  await clock.advance(1_000);
  expect(stored).toEqual(['2 1', '3 1']);
  add(4);
  await clock.advance(0);
  expect(told).toEqual(['2', '3', '4']);
  expect(idsOf(recorder.unwritten())).toEqual(['1']);
  await recorder.drained(new AbortController().signal);
});

test('HOOK-20: where storage refuses all rounds, they are written again until it takes them, with their attempts', async () => {
  const { recorder, clock, stored, refusing, add } = startRefused(() => true);
  const numbers = Array.from({ length: 100 }, (_, index) => index + 1);
  add(...numbers);
  await clock.advance(5_000);
  expect(recorder.unwritten()).toHaveLength(100);
  refusing.isRefused = () => false;
  await clock.advance(1_000);
  expect(stored.toSorted()).toEqual(numbers.map((number) => `${number} 1`).toSorted());
});

test('SAFE-2: a storage that refuses whatever it is given is not asked for each row', async () => {
  const rows = Array.from({ length: 2_000 }, (_, index) => index);
  let asked = 0;
  const { refused, untried } = await storeInHalves(rows, () => {
    asked += 1;
    return Promise.reject(new NotStorable('refused (22003)'));
  });
  expect([...refused.map(({ row }) => row), ...untried]).toEqual(rows);
  expect(asked).toBeLessThan(40);
});

test('SAFE-2: many rounds that storage refuses, one behind the other, hold up none behind them', async () => {
  const { recorder, clock, stored, add } = startRefused(({ delivery }) => Number(delivery) <= 20);
  add(...Array.from({ length: 30 }, (_, index) => index + 1));
  await clock.advance(5_000);
  expect(stored).toHaveLength(10);
  expect(recorder.unwritten()).toHaveLength(20);
});

test('HOOK-20: a recorder is drained once all is written, or when nobody waits any more', async () => {
  const { recorder, settle } = startRecorder();
  const [patient, hasty] = [new AbortController(), new AbortController()];
  await recorder.drained(patient.signal);
  recorder.add(roundOf(1));
  recorder.add(roundOf(2));
  const ends: string[] = [];
  void recorder.drained(patient.signal).then(() => ends.push('patient'));
  void recorder.drained(hasty.signal).then(() => ends.push('hasty'));
  await settle(({ resolve }) => resolve(NOTHING));
  expect(ends).toEqual([]);
  hasty.abort();
  await nextTurn();
  expect(ends).toEqual(['hasty']);
  await settle(({ resolve }) => resolve(NOTHING));
  expect(ends).toEqual(['hasty', 'patient']);
});
