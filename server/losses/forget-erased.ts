import { effectsOf, erasedIds, isOver, isUntouched, scopeOf } from '../model/regulation.ts';
import type { Regulation } from '../model/resources.ts';
import type { ConfigStore } from '../storage/config-store.ts';
import type { SharedLosses } from './shared-losses.ts';

/**
 * Whichever router deletes users removes what is stored of them. What another one has not sent by then would come behind it: that
 * one lets it go as soon as it hears that the deletion has begun.
 */
export function forgetErased(
  store: Pick<ConfigStore, 'watch'>,
  losses: Pick<SharedLosses, 'eraseUnsent'>,
): Promise<() => void> {
  return store.watch(
    ({ changes }) => {
      for (const { row } of changes)
        if (row !== undefined && isDeleting(row.resource))
          void losses.eraseUnsent({ scope: scopeOf(row.resource), userIds: erasedIds(row.resource) });
    },
    ['regulations'],
  );
}

function isDeleting(regulation: Regulation): boolean {
  return effectsOf(regulation).deletes && !isUntouched(regulation) && !isOver(regulation);
}
