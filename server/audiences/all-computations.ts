import type { Directory } from '../directory/directory.ts';
import { workspaceOf } from '../model/resources.ts';
import type { MeasuredSpace, TidyRequest } from '../storage/profile-storage.ts';
import type { Computation } from './computations.ts';

/** What background work asks of the configuration of now. */
export type ComputedDirectory = Pick<Directory, 'workspaces' | 'computations'>;

/** Audiences and computed traits of all workspaces. */
export function allComputations(directory: ComputedDirectory): Computation[] {
  return directory.workspaces().flatMap((name) => directory.computations(name).all);
}

export function computationOf(directory: ComputedDirectory, name: string): Computation | undefined {
  return directory.computations(workspaceOf(name)).get(name);
}

export function spacesOf(directory: ComputedDirectory): MeasuredSpace[] {
  return directory.workspaces().flatMap((name) => directory.computations(name).space ?? []);
}

/** Before these hours no window looks at a measure any more. */
export function neededFrom(directory: ComputedDirectory, hour: number): TidyRequest['from'] {
  return directory.workspaces().flatMap((name) => directory.computations(name).neededFrom(hour));
}
