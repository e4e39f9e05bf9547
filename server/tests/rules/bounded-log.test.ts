import { expect, test } from 'vitest';
import { boundedLog } from '../../operations/log/bounded-log.ts';
import { DispatcherWorld } from '../support/dispatcher.ts';
import { RecordingLog } from '../support/ingestion-log.ts';

function bounded() {
  const own = new RecordingLog();
  let at = 0;
  const log = boundedLog(own, { steady: () => at });
  const told = (): unknown[] => own.lines.splice(0).map(({ fields, message }) => ({ ...fields, message }));
  return { log, told, wait: (ms: number) => void (at += ms) };
}

test('what fails for one reason again and again is a line a second, which counts those left out', () => {
  const { log, told, wait } = bounded();
  for (const path of ['/1', '/2', '/3']) log.error({ path, reason: 'full' }, 'request failed');
  wait(999);
  log.error({ path: '/4', reason: 'full' }, 'request failed');
  expect(told()).toEqual([{ path: '/1', reason: 'full', message: 'request failed' }]);
  wait(1);
  log.error({ path: '/5', reason: 'full' }, 'request failed');
  expect(told()).toEqual([{ path: '/5', reason: 'full', alike: 3, message: 'request failed' }]);
  wait(1_000);
  log.error({ path: '/6', reason: 'full' }, 'request failed');
  expect(told()).toEqual([{ path: '/6', reason: 'full', message: 'request failed' }]);
});

test('another reason, and another message, is a line of its own', () => {
  const { log, told } = bounded();
  log.error({ reason: 'full' }, 'request failed');
  log.error({ reason: 'a bug' }, 'request failed');
  log.warn({ reason: 'full' }, 'pixel not kept');
  expect(told()).toHaveLength(3);
});

test('lines of what goes well are all told', () => {
  const { log, told } = bounded();
  for (const by of ['a', 'b']) log.info({ by, reason: 'x' }, 'configuration changed');
  expect(told()).toHaveLength(2);
});

test('reasons that are all different take no more memory than some', () => {
  const { log, told } = bounded();
  for (let index = 0; index < 1_000; index += 1) log.error({ reason: `reason ${index}` }, 'request failed');
  expect(told()).toHaveLength(1_000);
  log.error({ reason: 'reason 0' }, 'request failed');
  expect(told()).toHaveLength(1);
  log.error({ reason: 'reason 999' }, 'request failed');
  expect(told()).toEqual([]);
});

test('SAFE-2: however many queues ask a storage that is gone, a line a second says so', async () => {
  const world = new DispatcherWorld({ spoil: () => ({ claim: () => Promise.reject(new Error('gone')) }) });
  await world.leave('m1', ...Array.from({ length: 20 }, (_, at) => `d${at}`));
  await world.start();
  await world.clock.advance(4_500);
  const lines = world.logged.filter(({ message }) => message === 'deliveries could not be claimed; trying again');
  expect(lines.map(({ fields }) => fields['alike'])).toEqual([undefined, 19, 19, 19, 19]);
});
