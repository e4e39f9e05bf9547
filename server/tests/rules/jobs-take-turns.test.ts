import { expect, onTestFinished, test } from 'vitest';
import { VirtualClock } from '../../../testbed/simulation/virtual-clock.ts';
import { type Job, type JobKind, JobRunner, type Next, PAUSE_MS } from '../../jobs/runner.ts';
import { RecordingLog } from '../support/ingestion-log.ts';

/** What a job of this name does in its steps, from the first on; it is over after the last. */
type Steps = Readonly<Record<string, readonly (Next | Error)[]>>;

interface Works {
  readonly clock: VirtualClock;
  /** The jobs of the steps that began, in order. */
  readonly begun: readonly string[];
  /** The most steps that were under way at once. */
  readonly most: () => number;
}

/** Jobs are named `workspace/number`; each step takes ten milliseconds. */
function start(kind: Pick<JobKind, 'atOnce' | 'ofOne' | 'rests'>, steps: Steps): Works {
  const clock = new VirtualClock();
  const begun: string[] = [];
  let [underWay, most] = [0, 0];
  const jobs = Object.entries(steps).map(([name, own]): Job => {
    const left = [...own];
    return {
      name,
      workspace: name.slice(0, name.indexOf('/')),
      async step() {
        begun.push(name);
        underWay += 1;
        most = Math.max(most, underWay);
        await clock.sleep(10);
        underWay -= 1;
        const next = left.shift() ?? 'over';
        if (next instanceof Error) throw next;
        return next;
      },
    };
  });
  const [storage, log] = [{ leaseJob: () => Promise.resolve(true) }, new RecordingLog()];
  const runner = new JobRunner({ storage, clock, log }, [
    { ...kind, name: 'works', find: () => Promise.resolve(jobs.splice(0)) },
  ]);
  runner.start();
  onTestFinished(async () => {
    const stopped = runner.stop();
    await clock.advance(10);
    await stopped;
  });
  return { clock, begun, most: () => most };
}

/** A workspace with many jobs, each with many steps that follow at once. */
function many(next: Next, count = 50): Steps {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`a/${index}`, Array<Next>(50).fill(next)]));
}

test.each([0, 1])(
  'however many jobs a workspace has, those of another have every other step (next after %i ms)',
  async (next) => {
    const { clock, begun, most } = start({ atOnce: 2 }, { ...many(next), 'b/0': Array<Next>(5).fill(next) });
    await clock.advance(100);
    expect(begun.filter((name) => name === 'b/0')).toHaveLength(6);
    expect(most()).toBe(2);
  },
);

test('of one workspace a job goes on until it waits, and then the next has its place', async () => {
  const { clock, begun } = start({ atOnce: 2 }, { 'a/0': [0, 0, 50, 0], 'a/1': [0, 0, 0], 'a/2': [0] });
  await clock.advance(39);
  expect(begun).toEqual(['a/0', 'a/1', 'a/0', 'a/1', 'a/0', 'a/1', 'a/2', 'a/1']);
});

test('SAFE-2: where a workspace may have some of the places, others wait for none of its steps', async () => {
  const { clock, begun, most } = start({ atOnce: 3, ofOne: 2 }, { ...many(0), 'b/0': [55] });
  await clock.advance(64);
  expect([begun.length, most()]).toEqual([15, 3]);
  await clock.advance(1);
  expect(begun.slice(15)).toEqual(['b/0']);
});

test('one after another: each is done to its end, and workspaces take turns', async () => {
  const { clock, begun } = start(
    { atOnce: 1 },
    { 'a/0': [0, 5], 'a/1': [0], 'a/2': [], 'b/0': [0], 'b/1': [], 'c/0': [] },
  );
  await clock.advance(1_000);
  expect(begun).toEqual(['a/0', 'a/0', 'a/0', 'b/0', 'b/0', 'c/0', 'a/1', 'a/1', 'b/1', 'a/2']);
});

test('what fails again and again keeps no place: all else goes on', async () => {
  const failing = Array.from({ length: 100 }, () => new Error('the disk is full'));
  const { clock, begun } = start({ atOnce: 2 }, { 'a/0': failing, 'a/1': failing, 'b/0': [0, 0] });
  await clock.advance(40);
  expect(begun).toEqual(['a/0', 'b/0', 'a/1', 'b/0', 'b/0']);
  await clock.advance(PAUSE_MS);
  expect(begun.slice(5)).toEqual(['a/0', 'a/1']);
});

test('one after another: what fails again and again of a workspace keeps only its own waiting', async () => {
  const failing = Array.from({ length: 4 }, () => new Error('statement timeout'));
  const steps = { 'a/0': [...failing, 0], 'a/1': [], 'b/0': [0, 5], 'c/0': [] } as const;
  const { clock, begun, most } = start({ atOnce: 1 }, steps);
  await clock.advance(10_000);
  expect(begun).toEqual(['a/0', 'b/0', 'b/0', 'b/0', 'c/0', 'a/0', 'a/0', 'a/0', 'a/0', 'a/0', 'a/1']);
  expect(most()).toBe(1);
});

test('SAFE-2: where a kind rests, a place stays empty for a multiple of what its step took', async () => {
  const { clock, begun, most } = start({ atOnce: 2, rests: true }, many(0));
  await clock.advance(499);
  expect([begun.length, most()]).toEqual([20, 2]);
});
