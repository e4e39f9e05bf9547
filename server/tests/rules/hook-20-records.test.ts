import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { VirtualClock } from '../../../testbed/simulation/virtual-clock.ts';
import { type RecordedRound, Recorder } from '../../delivery/recorder.ts';
import { type Claim, deliveryId, type RoundRecord } from '../../model/delivery.ts';
import type { Recorded } from '../../storage/delivery-storage.ts';
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
