import { expect, test } from 'vitest';
import { createHealth } from '../../operations/health.ts';
import { createReadiness, type Findings } from '../../operations/readiness.ts';
import { VirtualClock } from '../../../testbed/simulation/virtual-clock.ts';
import type { WriteCheck } from '../../storage/storage.ts';
import { RecordingLog } from '../support/ingestion-log.ts';
import { requestOf } from '../support/koa-request.ts';

/** A check whose tries are counted, and end when and as the test says. */
function heldCheck() {
  const tries: PromiseWithResolvers<void>[] = [];
  const attempt = (): Promise<void> => {
    const one = Promise.withResolvers<void>();
    tries.push(one);
    return one.promise;
  };
  return { tries, check: { name: 'disk', attempt, failures: never } };
}

const never = (): number => 0;

function readinessOf(check: WriteCheck) {
  const [clock, log] = [new VirtualClock(), new RecordingLog()];
  return { clock, log, ask: createReadiness([check], { clock, log }) };
}

test('those who ask at one time share one try', async () => {
  const { tries, check } = heldCheck();
  const { ask } = readinessOf(check);
  const answers = Promise.all([ask(), ask(), ask()]);
  expect(tries).toHaveLength(1);
  tries[0]?.resolve();
  expect(await answers).toEqual([{ disk: 'ok' }, { disk: 'ok' }, { disk: 'ok' }]);
});

test('however often it is asked, it writes once a second', async () => {
  let tries = 0;
  const { ask, clock } = readinessOf({ name: 'disk', attempt: async () => void (tries += 1), failures: never });
  for (let time = 0; time < 5_000; time += 100) {
    await ask();
    await clock.advance(100);
  }
  expect(tries).toBe(5);
});

/** A disk whose writes others try as well: it breaks as the test says, and counts what of theirs failed. */
function breakableDisk() {
  const disk = { isBroken: false, tries: 0, failures: 0 };
  const attempt = (): Promise<void> => {
    disk.tries += 1;
    return disk.isBroken ? Promise.reject(new Error('it cannot write: no space')) : Promise.resolve();
  };
  const fails = (): void => void (disk.failures += 1);
  return { disk, fails, check: { name: 'disk', attempt, failures: () => disk.failures } };
}

test('CFG-20: once a write has failed, that it could be written before says nothing', async () => {
  const { disk, fails, check } = breakableDisk();
  const { ask } = readinessOf(check);
  expect(await ask()).toEqual({ disk: 'ok' });
  disk.isBroken = true;
  expect([await ask(), disk.tries]).toEqual([{ disk: 'ok' }, 1]);
  fails();
  expect([await ask(), disk.tries]).toEqual([{ disk: 'it cannot write: no space' }, 2]);
});

test('CFG-20: writes that fail while nothing can be written are no reason to try more often', async () => {
  const { disk, fails, check } = breakableDisk();
  const { ask, clock } = readinessOf(check);
  disk.isBroken = true;
  for (let time = 0; time < 5_000; time += 100) {
    fails();
    expect(await ask()).toEqual({ disk: 'it cannot write: no space' });
    await clock.advance(100);
  }
  expect(disk.tries).toBe(5);
});

test('CFG-20: a write that failed during a try makes another one follow it, for all who ask', async () => {
  const { tries, check } = heldCheck();
  let failures = 0;
  const { ask } = readinessOf({ ...check, failures: () => failures });
  const first = ask();
  failures = 1;
  const answers = Promise.all([first, ask()]);
  tries[0]?.resolve();
  await expect.poll(() => tries.length, { interval: 1 }).toBe(2);
  tries[1]?.reject(new Error('it cannot write: no space'));
  expect(await answers).toEqual([{ disk: 'it cannot write: no space' }, { disk: 'it cannot write: no space' }]);
});

test('CFG-20: whose writes fail during each try is not ready', async () => {
  const { disk, fails, check } = breakableDisk();
  const { ask } = readinessOf({ ...check, attempt: () => (fails(), check.attempt()) });
  expect(await ask()).toEqual({ disk: 'writes fail, although one was possible meanwhile' });
  expect(disk.tries).toBe(2);
});

test('HOOK-21: a wall that is set neither stops the tries nor adds to them', async () => {
  let tries = 0;
  const { ask, clock } = readinessOf({ name: 'disk', attempt: async () => void (tries += 1), failures: never });
  for (const step of [-100_000, 500_000]) {
    await ask();
    clock.stepWall(step);
    await ask();
    await clock.advance(1_000);
  }
  expect(tries).toBe(2);
  await ask();
  expect(tries).toBe(3);
});

test('a disk that is stuck is told after two seconds, and asked only once', async () => {
  const { tries, check } = heldCheck();
  const { ask, clock } = readinessOf(check);
  const first = ask();
  await clock.advance(2_000);
  expect(await first).toEqual({ disk: 'it has not answered within 2 s' });
  await clock.advance(60_000);
  expect(await ask()).toEqual({ disk: 'it has not answered within 2 s' });
  expect(tries).toHaveLength(1);
  tries[0]?.resolve();
  await clock.advance(0);
  const again = ask();
  tries[1]?.resolve();
  expect(await again).toEqual({ disk: 'ok' });
});

test('what was found is logged when it changes', async () => {
  let fault: Error | undefined = new Error('it cannot write: no space');
  const attempt = (): Promise<void> => (fault === undefined ? Promise.resolve() : Promise.reject(fault));
  const { ask, clock, log } = readinessOf({ name: 'disk', attempt, failures: never });
  for (let asked = 0; asked < 3; asked += 1) {
    expect(await ask()).toEqual({ disk: 'it cannot write: no space' });
    await clock.advance(1_000);
  }
  fault = undefined;
  await ask();
  expect(log.lines).toMatchObject([
    { level: 'error', fields: { check: 'disk', reason: 'it cannot write: no space' } },
    { level: 'info', fields: { check: 'disk' }, message: 'can write again' },
  ]);
});

test.each<[string, boolean, Findings, object]>([
  [
    'all can write',
    false,
    { a: 'ok', b: 'ok' },
    { status: 200, body: { status: 'ready', checks: { a: 'ok', b: 'ok' } } },
  ],
  [
    'one cannot',
    false,
    { a: 'ok', b: 'full' },
    { status: 503, body: { status: 'not ready', checks: { a: 'ok', b: 'full' } } },
  ],
  [
    'it is stopping',
    true,
    { a: 'ok' },
    { status: 503, body: { status: 'not ready', checks: { router: 'it is stopping' } } },
  ],
])('readyz when %s, while healthz stays true', async (_title, stopping, findings, answer) => {
  const health = createHealth({ stopping: { aborted: stopping }, readiness: () => Promise.resolve(findings) });
  expect(await requestOf(health, '/readyz')).toMatchObject(answer);
  expect(await requestOf(health, '/healthz')).toEqual({ status: 200, body: { status: 'ok' } });
});
