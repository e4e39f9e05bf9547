import { MAX_FILTERS } from '../../server/filters/filters.ts';
import { destinationOf } from './below.ts';
import type { Step } from './differences.ts';
import type { WorkspaceNode } from './model.ts';

/**
 * A destination that has all the filters that it can have takes a new one once another is gone: such deletions come right before what
 * needs their room, and all others last, so that as little as possible passes unfiltered meanwhile.
 */
export function filtersInTurn(steps: readonly Step[], live: WorkspaceNode | undefined): readonly Step[] {
  const surplus = Map.groupBy(steps.filter(isDeletion), ({ name }) => destinationOf(name));
  const counts = new Map<string, number>();
  const inTurn = steps.flatMap((step) => {
    if (step.kind !== 'filters' || step.action !== 'create') return [step];
    const count = counts.get(step.name) ?? filterCount(live, step.name);
    const room = count < MAX_FILTERS ? undefined : surplus.get(step.name)?.shift();
    counts.set(step.name, room === undefined ? count + 1 : count);
    return room === undefined ? [step] : [room, step];
  });
  // What stands at its earlier place is left out of its own.
  return [...new Set(inTurn)];
}

function isDeletion({ kind, action }: Step): boolean {
  return kind === 'filters' && action === 'delete';
}

function filterCount(live: WorkspaceNode | undefined, destination: string): number {
  const [, , , source = '', , own = ''] = destination.split('/');
  return live?.sources.get(source)?.destinations?.get(own)?.filters?.length ?? 0;
}
