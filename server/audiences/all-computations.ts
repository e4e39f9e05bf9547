import type { Directory } from '../directory/directory.ts';
import { workspaceOf } from '../model/resource-names.ts';
import type { MeasuredSpace, Needed, SpacesNow } from '../storage/profile-storage.ts';
import type { Computation } from './computations.ts';

/** What background work asks of the configuration of now. */
export type ComputedDirectory = Pick<Directory, 'workspaces' | 'computations'>;

/** The same, which can also be asked for what any router answered before (NODE-5). */
export type RefreshedDirectory = ComputedDirectory & Pick<Directory, 'refresh'>;

/** Audiences and computed traits of all workspaces. */
export function allComputations(directory: ComputedDirectory): Computation[] {
  return directory.workspaces().flatMap((name) => directory.computations(name).all);
}

export function computationOf(directory: ComputedDirectory, name: string): Computation | undefined {
  return directory.computations(workspaceOf(name)).get(name);
}

/** All that there are, those too that another router has just been asked for. */
export function spacesNow(directory: RefreshedDirectory): SpacesNow {
  return async () => {
    await directory.refresh();
    return spacesOf(directory);
  };
}

/** What profiles and results are kept for, at an hour. */
export async function neededNow(directory: RefreshedDirectory, hour: number): Promise<Needed> {
  const spaces = await spacesNow(directory)();
  return {
    spaces,
    computations: allComputations(directory).map(({ name }) => name),
    from: directory.workspaces().flatMap((name) => directory.computations(name).neededFrom(hour)),
  };
}

function spacesOf(directory: ComputedDirectory): MeasuredSpace[] {
  return directory.workspaces().flatMap((name) => directory.computations(name).space ?? []);
}
