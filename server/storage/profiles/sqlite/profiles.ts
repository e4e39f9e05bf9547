import { Semaphore } from '../../../fairness/semaphore.ts';
import type { Inbox } from '../../inbox.ts';
import { foldAll, type ProfileStorage } from '../../profile-storage.ts';
import { foldsBeside } from './folds.ts';
import type { ProfileOperations } from './operations.ts';

/** Asks the engine, wherever it works. */
export type AskProfiles = <Name extends keyof ProfileOperations>(
  name: Name,
  argument: Parameters<ProfileOperations[Name]>[0],
) => Promise<ReturnType<ProfileOperations[Name]>>;

/** So many at a time when all that was caught is folded. */
const LOT = 5_000;

/** Profiles beside an inbox: what is read there is folded here, and then cleared there. */
export async function profilesBeside(inbox: Inbox, ask: AskProfiles): Promise<ProfileStorage> {
  await inbox.continueInbox({ after: await ask('lastFolded', undefined) });
  // What was read from the inbox before an erasure must not be folded after it. Workspaces have their turn.
  const turns = new Semaphore(1);
  const inTurn = <Answer>(work: () => Promise<Answer>, workspace?: string): Promise<Answer> =>
    turns.run(work, workspace);
  const folding = foldsBeside(inbox, ask);
  return {
    fold: (request) => inTurn(() => folding.fold(request), request.workspace),
    lastCaught: () => inbox.lastCaught(),
    async erase({ spaces, ...request }) {
      const { workspace } = request;
      const caught = { spaces, limit: LOT, workspace, upTo: await inbox.lastCaught() };
      // Others have their turn between two lots.
      const folded = await foldAll(() => inTurn(() => folding.fold(caught), workspace));
      const erased = await inTurn(async () => {
        await folding.clear(workspace);
        return ask('erase', request);
      }, workspace);
      return { ...folded, ...erased };
    },
    compute: (request) => ask('compute', request),
    preview: (request) => ask('preview', request),
    results: (request) => ask('results', request),
    profile: (request) => ask('profile', request),
    standing: (request) => ask('standing', request),
    tidy: async ({ needed, limit }) => ask('tidy', { ...(await needed()), limit }),
  };
}
