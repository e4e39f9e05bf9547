import { StoreUnavailable } from '../../config-store.ts';
import { run } from '../../file/deliveries/serve.ts';
import type { Inbox } from '../../inbox.ts';
import { type FoldRequest, type Folded, NOTHING_FOLDED, type ProfileStorage } from '../../profile-storage.ts';
import { foldAll } from '../fold-all.ts';
import type { ProfileEngine } from './engine.ts';
import type { ProfileOperations } from './operations.ts';

/** Asks the engine, wherever it works. */
export type AskProfiles = <Name extends keyof ProfileOperations>(
  name: Name,
  argument: Parameters<ProfileOperations[Name]>[0],
) => Promise<ReturnType<ProfileOperations[Name]>>;

/** An engine on this thread. */
export function askHere(engine: ProfileEngine): AskProfiles {
  return async (name, argument) => {
    const answer = run(engine, [{ name, argument }]);
    if ('error' in answer) throw new StoreUnavailable(`the profile store failed: ${answer.error}`);
    const [result] = answer.results;
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the engine answers what the operation returns
    return result as ReturnType<ProfileOperations[typeof name]>;
  };
}

/** So many at a time when all that was caught is folded. */
const LOT = 5_000;

/** Profiles beside an inbox: what is read there is folded here, and then cleared there. */
export async function profilesBeside(inbox: Inbox, ask: AskProfiles): Promise<ProfileStorage> {
  await inbox.continueInbox({ after: await ask('lastFolded', undefined) });
  const inTurn = oneAtATime();
  const fold = async ({ spaces, limit, workspace, upTo: end = Infinity }: FoldRequest): Promise<Folded> => {
    const page = await inbox.readInbox({ after: await ask('position', workspace), limit, workspace });
    const caught = page.filter(({ id }) => id <= end);
    const last = caught.at(-1);
    if (last === undefined) return NOTHING_FOLDED;
    const { upTo, ...folded } = await ask('fold', { spaces: await spaces(), caught, workspace });
    await inbox.clearInbox({ upTo, workspace });
    return { ...folded, isMore: caught.length === limit || upTo < last.id };
  };
  return {
    fold: (request) => inTurn(() => fold(request)),
    lastCaught: () => inbox.lastCaught(),
    async erase({ spaces, ...request }) {
      const those = { spaces, limit: LOT, workspace: request.workspace, upTo: await inbox.lastCaught() };
      // Others have their turn between: what is caught from now on is not of who is erased before.
      const folded = await foldAll(() => inTurn(() => fold(those)));
      return { unasked: await inTurn(() => ask('erase', request)), ...folded };
    },
    compute: (request) => ask('compute', request),
    preview: (request) => ask('preview', request),
    results: (request) => ask('results', request),
    profile: (request) => ask('profile', request),
    standing: (request) => ask('standing', request),
    tidy: async ({ needed, limit }) => ask('tidy', { ...(await needed()), limit }),
  };
}

/** What was read from the inbox before an erasure must not be folded after it. */
function oneAtATime(): <Value>(work: () => Promise<Value>) => Promise<Value> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const next = last.then(work, work);
    last = next;
    return next;
  };
}
