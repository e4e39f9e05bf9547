import type { Storage } from '../../server/storage/storage.ts';
import type { CrashPoint, SyncStep } from './crash-points.ts';

/** A storage that passes the points of a sync. */
export function dyingSync(pass: (point: CrashPoint) => void): (own: Storage) => Storage {
  const dying = async <Answer>(step: SyncStep, ask: () => Promise<Answer>): Promise<Answer> => {
    pass(`${step}:before`);
    const asked = ask();
    pass(`${step}:during`);
    const answer = await asked;
    pass(`${step}:after`);
    return answer;
  };
  return ({ tellings, profiles, ...own }) => ({
    ...own,
    tellings: {
      ...tellings,
      startSync: (request) => dying('startSync', () => tellings.startSync(request)),
      computedSync: (request) => dying('computedSync', () => tellings.computedSync(request)),
      tell: (request) => dying('tell', () => tellings.tell(request)),
      endSync: (request) => dying('endSync', () => tellings.endSync(request)),
    },
    profiles: {
      ...profiles,
      fold: (request) => dying('fold', () => profiles.fold(request)),
      compute: (request) => dying('compute', () => profiles.compute(request)),
    },
  });
}
