import type { CaughtEvent } from '../../audiences/catch.ts';
import { compileMeasures, type CountedOf } from '../../audiences/compiled-measures.ts';
import { type Effects, effectsOf } from '../../audiences/effects.ts';
import { type Budget, EVALUATION_STEPS } from '../../evaluation/budget.ts';
import { workspaceOf } from '../../model/resource-names.ts';
import type { Caught } from '../inbox.ts';
import type { MeasuredSpace, UndecidedEvents } from '../profile-storage.ts';

/** One fold begins no event after so many steps, about 200 ms: what is left waits for the next, and others have their turn. */
export const FOLD_STEPS = 20 * EVALUATION_STEPS;

/** Of each character that is read. */
const READ_STEPS = 1 / 2;

/** What the events of one fold do to profiles. */
export interface Evaluation {
  /** Whether this fold may begin another event. */
  readonly hasRoom: () => boolean;
  /** Undefined for an event of a workspace that keeps no profiles. */
  readonly of: (caught: Caught, budget: Budget) => SpaceEffects | undefined;
  readonly undecided: () => readonly UndecidedEvents[];
}

export interface SpaceEffects {
  readonly space: MeasuredSpace;
  readonly effects: Effects;
}

/** Evaluates one fold after the other, each by the measures of its time. */
export function createEvaluations(): (spaces: readonly MeasuredSpace[]) => Evaluation {
  const compiled = compiledSpaces();
  return (spaces) => {
    const byWorkspace = new Map(spaces.map((space) => [space.workspace, space]));
    const undecided = new Map<string, UndecidedEvents>();
    let used = 0;
    // Mostly the same ones for each event.
    const note = (workspace: string, measures: readonly string[]): void => {
      const key = [workspace, ...measures].join(' ');
      const { events } = undecided.get(key) ?? { events: 0 };
      undecided.set(key, { workspace, measures, events: events + 1 });
    };
    return {
      hasRoom: () => used < FOLD_STEPS,
      undecided: () => [...undecided.values()],
      of({ source, caught }, budget) {
        const space = byWorkspace.get(workspaceOf(source));
        if (space === undefined) return undefined;
        budget.spend(READ_STEPS * caught.length);
        // Written by this version, or the one before, as JSON of this type.
        const event: CaughtEvent = JSON.parse(caught);
        const effects = effectsOf(event, source, compiled(space), budget);
        if (effects.undecided.length > 0)
          note(
            space.workspace,
            effects.undecided.map(({ id }) => id),
          );
        used += budget.used;
        return { space, effects };
      },
    };
  };
}

/** Conditions are parsed again only when measures have changed, which is looked at once for each object. */
function compiledSpaces(): (space: MeasuredSpace) => CountedOf {
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
