import { expect, test } from 'vitest';
import { createHealth } from '../../operations/health.ts';
import { createReadiness, type Findings } from '../../operations/readiness.ts';
import { VirtualClock } from '../../../testbed/simulation/virtual-clock.ts';
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
  return { tries, check: { name: 'disk', attempt } };
}

function readinessOf(check: { name: string; attempt: () => Promise<void> }) {
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
  const { ask, clock } = readinessOf({ name: 'disk', attempt: async () => void (tries += 1) });
  for (let time = 0; time < 5_000; time += 100) {
    await ask();
    await clock.advance(100);
  }
  expect(tries).toBe(5);
});

test('HOOK-21: a wall that is set neither stops the tries nor adds to them', async () => {
  let tries = 0;
  const { ask, clock } = readinessOf({ name: 'disk', attempt: async () => void (tries += 1) });
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
  const { ask, clock, log } = readinessOf({ name: 'disk', attempt });
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
