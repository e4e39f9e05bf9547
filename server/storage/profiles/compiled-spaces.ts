import { compileMeasures, type CountedOf } from '../../audiences/compiled-measures.ts';
import type { MeasuredSpace } from '../profile-storage.ts';

/** Conditions are parsed again only when measures have changed. */
export function compiledSpaces(): (space: MeasuredSpace) => CountedOf {
  const known = new Map<string, { readonly ids: string; readonly countedOf: CountedOf }>();
  return ({ workspace, measures }) => {
    const ids = measures.map(({ id }) => id).join(' ');
    let found = known.get(workspace);
    if (found?.ids !== ids) {
      found = { ids, countedOf: compileMeasures(measures) };
      known.set(workspace, found);
    }
    return found.countedOf;
  };
}
