import * as v from 'valibot';
import { type Fields, type Kind, kindOf, parentOf, rulesOf } from '../../contract/config-kinds.ts';
import { modeled, type OperationId } from './operations.ts';
import { type Shown, shown } from './shown.ts';
import type { State } from './state.ts';

const CREATIONS: Readonly<Record<Kind, OperationId>> = {
  'access-tokens': 'createAccessToken',
  workspaces: 'createWorkspace',
  sources: 'createSource',
  destinations: 'createDestination',
  'tracking-plans': 'createTrackingPlan',
};

/** Makes a resource as a request of the first token would; throws what such a request would be told. */
export function add(state: State, collection: string, resource: Fields): Shown {
  const kind = kindOf(`${collection}/new`);
  const operation = modeled(CREATIONS[kind]);
  if (operation?.demands.body === undefined) throw new Error(`${kind} cannot be made`);
  const body = v.parse(operation.demands.body, { [rulesOf(kind).key]: resource });
  const call = { caller: state.first, resource: collection, query: undefined, body, ifMatch: null };
  const { name } = operation.handle(state, call);
  const made = read(state, String(name));
  if (made === undefined) throw new Error(`${String(name)} was made, and is not there`);
  return made;
}

export function read(state: State, name: string): Shown | undefined {
  state.endRotations();
  const { model, first } = state;
  const found = model.get(first, name);
  return found.status === 200 ? shown(name, found.fields ?? {}) : undefined;
}

export function list(state: State, collection: string): readonly Shown[] {
  const found = state.model.list(state.first, parentOf(`${collection}/new`), kindOf(`${collection}/new`));
  return found.status === 200 ? (found.names ?? []).flatMap((name) => read(state, name) ?? []) : [];
}
