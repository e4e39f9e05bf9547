import type { ProfileStorage } from '../../profile-storage.ts';
import { type Database, PREVIEWS_AT_ONCE } from '../connection/database.ts';
import { compute, preview } from './compute.ts';
import { erase } from './erase.ts';
import { fold, foldIn, lastCaught } from './fold.ts';
import { transactionsInTurn } from './locks.ts';
import { profile, standing } from './profile.ts';
import { results } from './results.ts';
import { tidy } from './tidy.ts';

/** Profiles beside the messages of all routers: what was caught is folded in the transaction that takes it from the inbox. */
export function postgresProfiles(database: Database): ProfileStorage {
  const [inTurn, foldLot] = [transactionsInTurn(database), foldIn()];
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
    tidy: tidy(inTurn),
  };
}
