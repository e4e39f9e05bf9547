import { Semaphore } from '../../../fairness/semaphore.ts';
import type { ProfileStorage } from '../../profile-storage.ts';
import { type Database, PREVIEWS_AT_ONCE } from '../connection/database.ts';
import { compute, preview } from './compute.ts';
import { erase } from './erase.ts';
import { fold, foldIn, lastCaught } from './fold.ts';
import { profile, standing } from './profile.ts';
import { results } from './results.ts';
import { tidy } from './tidy.ts';

/** Profiles beside the messages of all routers: what was caught is folded in the transaction that takes it from the inbox. */
export function postgresProfiles(database: Database): ProfileStorage {
  const [turns, foldLot] = [new Semaphore(1), foldIn()];
  /** One lock is for all: whoever waits for it here has no connection meanwhile, and workspaces have it in turn. */
  const inTurn = (workspace = ''): Database => ({
    ...database,
    transaction: (work) => turns.run(() => database.transaction(work), workspace),
  });
  const folding: Pick<ProfileStorage, 'fold' | 'lastCaught'> = {
    fold: (request) => fold(inTurn(request.workspace), foldLot)(request),
    lastCaught: lastCaught(database),
  };
  return {
    ...folding,
    compute: compute(database),
    previewsAtOnce: PREVIEWS_AT_ONCE,
    preview: preview(database),
    results: results(database),
    profile: profile(database),
    standing: standing(database),
    erase: (request) => erase(inTurn(request.workspace), folding)(request),
    tidy: tidy(inTurn()),
  };
}
