import type { Storage } from '../../server/storage/storage.ts';
import type { CrashPoint } from './crash-points.ts';

type Moment = 'accept' | 'claim' | 'record' | 'purge' | 'join' | 'reap';

/**
 * A storage that is another process, with the points around what it is asked. Before the commit, it has been asked: whether it
 * commits, a router that dies there does not hear. After it, it has answered that something is changed.
 */
export function dyingStorage(pass: (point: CrashPoint) => void): (own: Storage) => Storage {
  const dying = async <Answer>(
    moment: Moment,
    ask: () => Promise<Answer>,
    hasChanged: (answer: Answer) => boolean,
  ): Promise<Answer> => {
    const asked = ask();
    asked.catch(() => undefined);
    await sent();
    pass(`${moment}:before-commit`);
    const answer = await asked;
    if (moment !== 'purge' && hasChanged(answer)) pass(`${moment}:after-commit`);
    return answer;
  };
  // The first of a life comes with its start, and a later one when another router is gone.
  let reaps = 0;
  return ({ deliveries, jobs, members, ...own }) => ({
    ...own,
    deliveries: {
      ...deliveries,
      accept: (request) =>
        dying(
          'accept',
          () => deliveries.accept(request),
          ({ length }) => length > 0,
        ),
      claim: (request) =>
        dying(
          'claim',
          () => deliveries.claim(request),
          ({ claims }) => claims.length > 0,
        ),
      record: (rounds) =>
        dying(
          'record',
          () => deliveries.record(rounds),
          ({ refused }) => refused.length < rounds.length,
        ),
    },
    jobs: {
      ...jobs,
      purge: async (request) => {
        const purged = await dying(
          'purge',
          () => jobs.purge(request),
          () => true,
        );
        if (purged.next !== undefined) pass('purge:between-deletions');
        return purged;
      },
    },
    members: {
      ...members,
      join: (request) =>
        dying(
          'join',
          () => members.join(request),
          () => true,
        ),
      reap: (request) => {
        reaps += 1;
        const isLater = reaps > 1;
        return dying(
          'reap',
          () => members.reap(request),
          () => isLater,
        );
      },
    },
  });
}

/** What is asked for leaves this process within so many turns of its event loop. */
async function sent(): Promise<void> {
  for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}
