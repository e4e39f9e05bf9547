import fc from 'fast-check';
import { expect, test } from 'vitest';
import { seededRandom } from '../../../testbed/simulation/seeded-random.ts';
import { type JobKind, JobRunner } from '../../jobs/runner.ts';
import { JobWorld, type JobWorldOptions, MAX_STEP_MS, type StoredJob } from '../support/job-world.ts';

const HOUR = 3_600_000;

type Deed = { readonly afterMs: number; readonly router: number } & (
  | { readonly does: 'begin' | 'stop' | 'kill' }
  | { readonly does: 'add'; readonly job: Omit<StoredJob, 'name'> }
);

interface Case {
  readonly seed: number;
  readonly failing: number;
  readonly deeds: readonly Deed[];
}

const anyJob = fc.record({
  kind: fc.constantFrom('one' as const, 'two' as const, 'many' as const),
  steps: fc.integer({ min: 1, max: 5 }),
  stepMs: fc.integer({ min: 0, max: MAX_STEP_MS }),
  waitMs: fc.constantFrom(0, 0, 10, 1_000, 45_000),
});
const when = { afterMs: fc.integer({ min: 0, max: 20_000 }), router: fc.nat(2) };
const anyDeed: fc.Arbitrary<Deed> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ ...when, does: fc.constant('add' as const), job: anyJob }) },
  {
    weight: 1,
    arbitrary: fc.record({ ...when, does: fc.constantFrom('begin' as const, 'stop' as const, 'kill' as const) }),
  },
);
const anyCase: fc.Arbitrary<Case> = fc.record({
  seed: fc.nat(),
  failing: fc.constantFrom(0, 0.1, 0.4),
  deeds: fc.array(anyDeed, { minLength: 1, maxLength: 16, size: 'max' }),
});

test('whatever fails or dies, each job gets done, in order, by one router at a time, and a stop leaves nothing half done', async () => {
  await fc.assert(
    fc.asyncProperty(anyCase, async (given) => {
      expect(await faultsOf(given)).toEqual([]);
    }),
    { numRuns: 300 },
  );
});

type Runner = NonNullable<JobWorldOptions['runner']>;

function ofKinds(alter: (kind: JobKind) => Partial<JobKind>): Pick<JobWorldOptions, 'runner'> {
  return {
    runner: (ports, kinds) =>
      new JobRunner(
        ports,
        kinds.map((kind) => ({ ...kind, ...alter(kind) })),
      ),
  };
}

const MISTAKES: Readonly<Record<string, Partial<JobWorldOptions>>> = {
  'lets every router have a job': { leases: 'had by everybody' },
  'leaves a job to a router that has died': { leases: 'without end' },
  'works on too many jobs at the same time': ofKinds(() => ({ atOnce: Infinity })),
  'begins with the newest job': ofKinds((kind) => ({ find: async () => (await kind.find()).toReversed() })),
  'looks for jobs only at the start': ofKinds((kind) => {
    let looks = 0;
    return { find: async () => ((looks += 1) === 1 ? kind.find() : []) };
  }),
  'does not wait for the steps under way when it stops': {
    runner: (...given: Parameters<Runner>) =>
      new (class extends JobRunner {
        override stop(): Promise<void> {
          void super.stop();
          return Promise.resolve();
        }
      })(...given),
  },
};

test.each(Object.entries(MISTAKES))('the property catches a runner that %s', async (_mistake, options) => {
  const found = await fc.check(
    fc.asyncProperty(anyCase, async (given) => (await faultsOf(given, options)).length === 0),
    { numRuns: 300, seed: 1, endOnFailure: true },
  );
  expect(found.failed).toBe(true);
});

async function faultsOf({ seed, failing, deeds }: Case, options: Partial<JobWorldOptions> = {}): Promise<string[]> {
  const world = new JobWorld({ random: seededRandom(seed), failing, ...options });
  world.begin();
  const ends: Promise<void>[] = [];
  for (const deed of deeds) {
    await world.clock.advance(deed.afterMs);
    if (deed.does === 'add') world.add(deed.router, { ...deed.job, name: String(world.jobs.length) });
    else if (deed.does === 'begin') world.begin();
    else if (deed.does === 'kill') world.kill(deed.router);
    else ends.push(world.stop(deed.router));
  }
  world.begin();
  for (let hours = 0; hours < 4 && !world.isDone; hours += 1 / 60) await world.clock.advance(HOUR / 60);
  await world.end();
  await Promise.all(ends);
  const left = world.jobs.filter((job) => world.doneOf(job) !== job.steps);
  return [...world.faults, ...left.map(({ name }) => `job ${name} is left`), ...disorderOf(world)];
}

/** Of the kind that is worked on one at a time each job is done to its end before the next one, in the order of creation. */
function disorderOf({ jobs, done }: JobWorld): string[] {
  const wanted = jobs.filter(({ kind }) => kind === 'one').flatMap((job) => Array<string>(job.steps).fill(job.name));
  const found = done.filter(({ job }) => job.kind === 'one').map(({ job }) => job.name);
  return wanted.join() === found.join() ? [] : [`order ${found.join()} instead of ${wanted.join()}`];
}
