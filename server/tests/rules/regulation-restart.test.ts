import { expect, test } from 'vitest';
import { StoreUnavailable } from '../../storage/config-store.ts';
import { MAIN, newPlace, openWorld, withSources } from '../support/regulation-world.ts';
import { wholeLog } from '../support/whole-log.ts';

const [A, B] = [`${MAIN}/sources/a`, `${MAIN}/sources/b`];

test('D-12: a start takes up what an earlier process left untouched', async () => {
  const place = newPlace();
  const first = await openWorld(place);
  await withSources(first);
  const name = await first.regulate('Delete', ['u1'], false);
  await first.end();
  const second = await openWorld(place);
  second.runner.start();
  await second.runner.idle();
  expect(second.sent()).toEqual([`${A} delete u1`, `${B} delete u1`]);
  expect(await second.config.get('regulations', name)).toMatchObject({ overall_status: 'FINISHED' });
});

test('HOOK-16: a process that ends in the middle makes no source be told twice', async () => {
  const place = newPlace();
  const stuck = Promise.withResolvers<never>();
  const reached = Promise.withResolvers<void>();
  // Source b is told, and the process ends before that is written down.
  const first = await openWorld(place, {
    interpose: (pipeline) => ({
      announce: async (arrival) => {
        const receipt = await pipeline.announce(arrival);
        if (arrival.source !== B) return receipt;
        reached.resolve();
        return stuck.promise;
      },
    }),
  });
  await withSources(first);
  const name = await first.regulate('Delete', ['u1']);
  await reached.promise;
  expect(first.sent()).toEqual([`${A} delete u1`, `${B} delete u1`]);
  stuck.reject(new StoreUnavailable('the process has ended'));
  await first.end();
  const second = await openWorld(place);
  second.runner.start();
  await second.runner.idle();
  expect(second.sent()).toEqual([]);
  expect(await second.logged(B)).toEqual(['u1']);
  expect(await second.config.get('regulations', name)).toMatchObject({ overall_status: 'FINISHED' });
});

test('CFG-20: a store that cannot write holds a regulation up, is logged once, and does not end it', async () => {
  const place = newPlace();
  const world = await openWorld(place);
  await withSources(world);
  await world.regulate('Delete', ['u1'], false);
  place.disk.refusal = new Error('ENOSPC');
  world.runner.look('regulations');
  const lines = (): string[] => world.log.lines.map(({ level, message }) => `${level}: ${message}`);
  await expect.poll(lines, { interval: 5 }).toContain('error: job failed, retrying');
  await world.clock.advance(5_000);
  expect(world.sent()).toEqual([]);
  place.disk.refusal = undefined;
  await world.clock.advance(1_000);
  await world.runner.idle();
  expect(world.sent()).toEqual([`${A} delete u1`, `${B} delete u1`]);
  expect(lines().filter((line) => line.includes('job'))).toEqual(['error: job failed, retrying', 'info: job resumed']);
});

test('HOOK-13: a regulation that an earlier version stored with whole seconds is told with milliseconds', async () => {
  const place = newPlace();
  const first = await openWorld(place);
  await withSources(first);
  const name = await first.regulate('Delete', ['u1'], false);
  await first.config.update('regulations', name, (one) => ({ ...one, create_time: '2026-11-20T12:00:00Z' }));
  await first.end();
  const second = await openWorld(place);
  second.runner.start();
  await second.runner.idle();
  const times = second.dispatcher.claims.map(({ message: { event } }) => [event.timestamp, event.receivedAt]);
  expect(times[0]).toEqual(['2026-11-20T12:00:00.000Z', '2026-11-20T12:00:00.000Z']);
});

test('AUD-9: what comes of a user after the deletion stays, although the process ends before all sources are told', async () => {
  const place = newPlace();
  const [stuck, reached] = [Promise.withResolvers<never>(), Promise.withResolvers<void>()];
  const first = await openWorld(place, {
    interpose: (pipeline) => ({
      announce: async (arrival) => {
        if (arrival.source !== B) return pipeline.announce(arrival);
        reached.resolve();
        return stuck.promise;
      },
    }),
  });
  await withSources(first);
  // So many that the second source is told in another step.
  const ids = Array.from({ length: 500 }, (_, at) => `u${at}`);
  await first.regulate('Delete', ids);
  await reached.promise;
  await first.ingest(A, { userId: 'u7' });
  stuck.reject(new StoreUnavailable('the process has ended'));
  await first.end();
  const second = await openWorld(place);
  second.runner.start();
  await second.runner.idle();
  const query = { destination: `${A}/destinations/webhooks`, filter: { userId: 'u7' } };
  expect((await wholeLog(second.deliveries, query)).map(({ type }) => type)).toEqual(['track', 'delete']);
});
