import type { DeliveryStorage } from '../../server/storage/delivery-storage.ts';
import type { JobStorage } from '../../server/storage/job-storage.ts';
import type { Members } from '../../server/storage/members.ts';
import type { Storage } from '../../server/storage/storage.ts';
import type { CrashPoint } from './crash-points.ts';

type Moment = 'accept' | 'claim' | 'record' | 'purge' | 'join' | 'reap';
type Pass = (point: CrashPoint) => void;

/**
 * A storage that is another process, with the points around what it is asked. Before the commit, it has been asked: whether it
 * commits, a router that dies there does not hear. After it, it has answered that something is changed.
 */
export function dyingStorage(pass: Pass): (own: Storage) => Storage {
  return ({ deliveries, jobs, members, ...own }) => ({
    ...own,
    deliveries: dyingDeliveries(deliveries, pass),
    jobs: dyingJobs(jobs, pass),
    members: dyingMembers(members, pass),
  });
}

function dyingDeliveries(own: DeliveryStorage, pass: Pass): DeliveryStorage {
  return {
    ...own,
    accept: async (request) => {
      const accepted = await asked(own.accept(request), 'accept', pass);
      if (accepted.length > 0) pass('accept:after-commit');
      return accepted;
    },
    claim: async (request) => {
      const claimed = await asked(own.claim(request), 'claim', pass);
      if (claimed.claims.length > 0) pass('claim:after-commit');
      return claimed;
    },
    record: async (rounds) => {
      const recorded = await asked(own.record(rounds), 'record', pass);
      if (recorded.refused.length < rounds.length) pass('record:after-commit');
      return recorded;
    },
  };
}

function dyingJobs(own: JobStorage, pass: Pass): JobStorage {
  return {
    ...own,
    purge: async (request) => {
      const purged = await asked(own.purge(request), 'purge', pass);
      if (purged.next !== undefined) pass('purge:between-deletions');
      return purged;
    },
  };
}

function dyingMembers(own: Members, pass: Pass): Members {
  let reaps = 0;
  return {
    ...own,
    join: async (request) => {
      const membership = await asked(own.join(request), 'join', pass);
      pass('join:after-commit');
      return membership;
    },
    reap: async (request) => {
      const freed = await asked(own.reap(request), 'reap', pass);
      reaps += 1;
      // The first of a life comes with its start, and a later one when another router is gone.
      if (reaps > 1) pass('reap:after-commit');
      return freed;
    },
  };
}

async function asked<Answer>(answer: Promise<Answer>, moment: Moment, pass: Pass): Promise<Answer> {
  answer.catch(() => undefined);
  await sent();
  pass(`${moment}:before-commit`);
  return answer;
}

/** What is asked for leaves this process within so many turns of its event loop. */
async function sent(): Promise<void> {
  for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}
