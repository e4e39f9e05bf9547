import { expect, onTestFinished, test } from 'vitest';
import { VirtualClock } from '../../../testbed/simulation/virtual-clock.ts';
import { type Job, JobRunner } from '../../jobs/runner.ts';
import { RecordingLog } from '../support/ingestion-log.ts';

interface Desk {
  readonly clock: VirtualClock;
  /** Stores one more for a job that does all there is, as the API does. */
  readonly ask: () => void;
  /** When it was done, from the start of the test. */
  readonly done: readonly number[];
  readonly finds: () => number;
}

/** `when`: told of what the runner and its job do, before it is done. */
function startDesk(when: (deed: 'step' | 'give back', ask: () => void) => void): Desk {
  const clock = new VirtualClock();
  const [start, done] = [clock.steady(), [] as number[]];
  let [left, finds] = [0, 0];
  const job: Job = {
    name: 'only',
    step() {
      if (left > 0) done.push(clock.steady() - start);
      const end = left > 0 ? 0 : 'over';
      left = 0;
      if (end === 'over') when('step', ask);
      return Promise.resolve(end);
    },
  };
  const find = (): Promise<readonly Job[]> => Promise.resolve((finds += 1) > 0 && left > 0 ? [job] : []);
  const leaseJob = async ({ forMs }: { readonly forMs: number }): Promise<boolean> => {
    if (forMs > 0) return true;
    when('give back', ask);
    await clock.sleep(50);
    return true;
  };
  const runner = new JobRunner({ storage: { leaseJob }, clock, log: new RecordingLog() }, [
    { name: 'desk', atOnce: 2, find },
  ]);
  const ask = (): void => {
    left += 1;
    runner.look('desk');
  };
  runner.start();
  onTestFinished(() => runner.stop());
  return { clock, ask, done, finds: () => finds };
}

test.each(['step', 'give back'] as const)(
  'AUD-4: what a job is asked for while it ends, at its last %s, is done at once',
  async (moment) => {
    let times = 0;
    const { clock, ask, done, finds } = startDesk((deed, again) => {
      if (deed === moment && (times += 1) === 1) again();
    });
    await clock.advance(1_000);
    ask();
    await clock.advance(500);
    expect(done).toEqual([1_000, 1_050]);
    await clock.advance(5_000);
    expect(finds()).toBe(4);
  },
);
