import { compileMeasures, type CountedOf } from '../../audiences/compiled-measures.ts';
import type { MeasuredSpace } from '../profile-storage.ts';

/** Conditions are parsed again only when measures have changed, which is looked at once for each object. */
export function compiledSpaces(): (space: MeasuredSpace) => CountedOf {
  const known = new Map<string, { readonly ids: string; readonly countedOf: CountedOf }>();
  const compiled = ({ workspace, measures }: MeasuredSpace): CountedOf => {
    const ids = measures.map(({ id }) => id).join(' ');
    let found = known.get(workspace);
    if (found?.ids !== ids) {
      found = { ids, countedOf: compileMeasures(measures) };
      known.set(workspace, found);
    }
    return found.countedOf;
  };
  const seen = new WeakMap<MeasuredSpace, CountedOf>();
  return (space) => {
    const countedOf = seen.get(space) ?? compiled(space);
    seen.set(space, countedOf);
    return countedOf;
  };
}
