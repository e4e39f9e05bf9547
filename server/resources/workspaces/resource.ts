import type { components } from '../../../generated/config-api.d.ts';
import type { Resources } from '../../storage/config-store.ts';
import { newId } from '../identifiers.ts';
import { readNewName, slugOf } from '../resource-name.ts';
import { milliseconds } from '../times.ts';
import { applyMask, type EmptyValues } from '../update-mask.ts';

type Schemas = components['schemas'];
type Workspace = Resources['workspaces'];

export const EMPTIES: EmptyValues = { display_name: '' };

export function makeWorkspace({ workspace }: Schemas['CreateWorkspace'], now: number): Workspace {
  const name = readNewName({ given: workspace.name, within: 'workspaces/', field: 'workspace.name' });
  return { name, display_name: workspace.display_name ?? slugOf(name), id: newId(), create_time: milliseconds(now) };
}

export function changeWorkspace(
  current: Workspace,
  { workspace = {} }: Schemas['UpdateWorkspace'],
  paths: readonly string[],
): Workspace {
  return applyMask(current, { values: workspace, paths, empties: EMPTIES });
}
