import { isWithin, slugOf } from '../model/resource-names.ts';
import type { ConfigStore } from '../storage/config-store.ts';
import type { Losses } from './loss-reader.ts';

type Kept = Pick<Losses, 'accepted' | 'dropped' | 'violations' | 'undecided'>;

/**
 * What is in memory has no end of its own. It goes when the name of a removed workspace is free, or given again, before whoever gets
 * it is answered (D-87). Traffic is of the last day alone.
 */
export function forgetRemoved(store: Pick<ConfigStore, 'watch'>, losses: Kept): Promise<() => void> {
  const { accepted, dropped, violations, undecided } = losses;
  return store.watch(
    ({ changes }) => {
      for (const { name } of changes.filter(({ row }) => row === undefined)) {
        const workspace = `workspaces/${slugOf(name)}`;
        for (const list of [accepted, dropped, violations, undecided]) list.forget((one) => isWithin(one, workspace));
      }
    },
    ['removed-workspaces'],
  );
}
