import { CommandFailed } from '../failure.ts';
import { cell } from '../table.ts';
import { sourcesIn } from './computed.ts';
import type { Step } from './differences.ts';
import type { WorkspaceNode } from './model.ts';

/** A step that names a source which will not be there would fail once others are taken. */
export function requireKnownSources(
  workspace: string,
  steps: readonly Step[],
  sources: readonly (WorkspaceNode['sources'] | undefined)[],
): void {
  for (const step of steps) {
    const missing = namedBy(step).find((slug) => !sources.some((own) => own?.has(slug)));
    if (missing === undefined) continue;
    throw new CommandFailed(`${cell(step.label)}: ${workspace}/${missing} is neither in the file nor on the router`);
  }
}

function namedBy({ kind, action, name, fields }: Step): readonly string[] {
  if (kind === 'connection') return action === 'create' ? [name.split('/').at(-1) ?? ''] : [];
  return kind === 'audiences' || kind === 'computedTraits' ? sourcesIn(fields) : [];
}
