import { expect, onTestFinished, test } from 'vitest';
import { VirtualClock } from '../../../testbed/simulation/virtual-clock.ts';
import { retention } from '../../jobs/retention.ts';
import { LEASE_MS } from '../../jobs/lease.ts';
import { JobRunner, LOOK_MS } from '../../jobs/runner.ts';
import { type MemoryStorage, Memory } from '../../storage/memory/memory.ts';
import { RecordingLog } from '../support/ingestion-log.ts';

const MINUTE = 60_000;

interface Router {
  /** When it looked for what is old, from the start of the test. */
  readonly purges: number[];
  readonly stop: () => Promise<void>;
  /** Nothing that it asks is answered from now on. */
  readonly kill: () => void;
}

/** Retention on two routers that share a storage; the first one has the job. */
function startRouters(): { clock: VirtualClock; first: Router; second: Router } {
  const clock = new VirtualClock();
  const memory = new Memory({ clock, versionOf: () => 0 });
  return { clock, first: startRouter(clock, memory.open('first')), second: startRouter(clock, memory.open('second')) };
}

function startRouter(clock: VirtualClock, own: MemoryStorage): Router {
  const [start, purges] = [clock.steady(), [] as number[]];
  let isDead = false;
  const answered = <Answer>(answer: Promise<Answer>): Promise<Answer> => (isDead ? new Promise(() => {}) : answer);
  const storage: Pick<MemoryStorage, 'leaseJob' | 'purge'> = {
    leaseJob: (request) => answered(own.leaseJob(request)),
    purge: (request) => {
      if (!isDead) purges.push(clock.steady() - start);
      return answered(own.purge(request));
    },
  };
  const ports = { storage, clock, log: new RecordingLog() };
  const runner = new JobRunner(ports, [retention({ ...ports, config: own.resources, retentionMs: 60 * MINUTE })]);
  runner.start();
  onTestFinished(() => (isDead ? undefined : runner.stop()));
  return { purges, stop: () => runner.stop(), kill: () => (isDead = true) };
}

test('work on a schedule is done by one router, whose lease covers the waits', async () => {
  const { clock, first, second } = startRouters();
  await clock.advance(35 * MINUTE);
  expect([first.purges, second.purges]).toEqual([[0, 10, 20, 30].map((minute) => minute * MINUTE), []]);
});

test('what a router that stops had to do is gone on with when the next one looks', async () => {
  const { clock, first, second } = startRouters();
  await clock.advance(5 * MINUTE);
  await first.stop();
  await clock.advance(LOOK_MS);
  expect([first.purges, second.purges]).toEqual([[0], [5 * MINUTE + LOOK_MS]]);
});

test('what a router that died had to do is gone on with once its lease has ended', async () => {
  const { clock, first, second } = startRouters();
  await clock.advance(5 * MINUTE);
  first.kill();
  await clock.advance(5 * MINUTE + LEASE_MS - 1);
  expect(second.purges).toEqual([]);
  await clock.advance(LOOK_MS + 1);
  expect(second.purges).toHaveLength(1);
});
