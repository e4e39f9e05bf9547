import type { Inbox } from '../../inbox.ts';
import { type Folded, type FoldRequest, NOTHING_FOLDED } from '../../profile-storage.ts';
import type { AskProfiles } from './profiles.ts';

/** Where nothing of a workspace stands among so many of others, it is noted that they need not be passed again. */
const PASSED = 1_000;

export interface Folds {
  readonly fold: (request: FoldRequest) => Promise<Folded>;
  /** Clears what was folded of a workspace, and could not be cleared then. */
  readonly clear: (workspace: string) => Promise<void>;
}

/** Reads the inbox, has it folded, and clears it. One at a time. */
export function foldsBeside(inbox: Inbox, ask: AskProfiles): Folds {
  const clear = clearing(inbox, ask);
  return {
    clear,
    fold: async ({ workspace, upTo, ...request }) =>
      workspace === undefined
        ? foldInOrder(inbox, ask, { ...request, upTo })
        : foldAhead({ inbox, ask, clear }, { ...request, workspace, upTo: upTo ?? (await inbox.lastCaught()) }),
  };
}

async function foldInOrder(
  inbox: Inbox,
  ask: AskProfiles,
  { spaces, limit, upTo: end = Infinity }: FoldRequest,
): Promise<Folded> {
  const page = await inbox.readInbox({ after: await ask('position', undefined), limit });
  const caught = page.filter(({ id }) => id <= end);
  const last = caught.at(-1);
  if (last === undefined) return NOTHING_FOLDED;
  const { upTo, ...folded } = await ask('fold', { spaces: await spaces(), caught });
  await inbox.clearInbox({ upTo });
  return { ...folded, isMore: caught.length === limit || upTo < last.id };
}

/** Of one workspace, whatever waits of others. */
async function foldAhead(
  { inbox, ask, clear }: { readonly inbox: Inbox; readonly ask: AskProfiles; readonly clear: Folds['clear'] },
  { spaces, limit, workspace, upTo: end }: FoldRequest & { readonly workspace: string; readonly upTo: number },
): Promise<Folded> {
  const after = await ask('position', workspace);
  const caught = await inbox.readInbox({ after, limit, of: { workspace, upTo: end } });
  const isRest = caught.length < limit;
  const last = caught.at(-1);
  if (last === undefined && end - after < PASSED) return NOTHING_FOLDED;
  const ahead = { workspace, ...(isRest ? { upTo: end } : {}) };
  const { upTo, ...folded } = await ask('fold', { spaces: await spaces(), caught, ahead });
  await clear(workspace);
  return { ...folded, isMore: !isRest || (last !== undefined && upTo < last.id) };
}

/** What was cleared of a workspace is known until the process ends: what stands before it is not passed again. */
function clearing(inbox: Inbox, ask: AskProfiles): Folds['clear'] {
  const cleared = new Map<string, number>();
  return async (workspace) => {
    const [after, upTo] = [cleared.get(workspace) ?? 0, await ask('position', workspace)];
    if (upTo <= after) return;
    await inbox.clearInbox({ upTo, of: { workspace, after } });
    cleared.set(workspace, upTo);
  };
}
