import type { Ids } from './call.ts';
import { formOf, ID, idsIn, idsOf, quoted, templateOf } from './name-templates.ts';
import type { NameIds } from './resource-types.ts';
import { type ResourceKind, RESOURCES } from './resources.ts';

/** A resource name, taken apart: its kind, as the key of the client, and its ids (S 2.1). */
export type ParsedName = { [Kind in ResourceKind]: { readonly kind: Kind } & NameIds<Kind> }[ResourceKind];

/** The name of an access token, `access-tokens/<id>` (D-8). Throws a TypeError when the id cannot stand in a name. */
export function accessTokenName(id: string): string {
  return `access-tokens/${segment('access token', id)}`;
}

/** The name of a workspace, `workspaces/<w>` (S 2.1). Throws a TypeError when the slug cannot stand in a name. */
export function workspaceName(workspace: string): string {
  return `workspaces/${segment('workspace', workspace)}`;
}

/** The name of a source, `workspaces/<w>/sources/<s>` (S 2.1). Throws a TypeError when a slug cannot stand in a name. */
export function sourceName(workspace: string, source: string): string {
  return `${workspaceName(workspace)}/sources/${segment('source', source)}`;
}

/**
 * The name of a destination, `workspaces/<w>/sources/<s>/destinations/<d>` (S 2.1).
 * Throws a TypeError when a slug cannot stand in a name.
 */
export function destinationName(workspace: string, source: string, destination: string): string {
  return `${sourceName(workspace, source)}/destinations/${segment('destination', destination)}`;
}

/**
 * The name of a tracking plan, `workspaces/<w>/tracking-plans/<id>`, with the id that the API generated (S 2.1, D-4).
 * Throws a TypeError when an id cannot stand in a name.
 */
export function trackingPlanName(workspace: string, id: string): string {
  return `${workspaceName(workspace)}/tracking-plans/${segment('tracking plan', id)}`;
}

/**
 * Takes the full name of any resource apart (S 2.1). Throws a TypeError when it is the name of none.
 *
 * `parseName('workspaces/main/sources/js')` is `{ kind: 'sources', workspace: 'main', source: 'js' }`.
 */
export function parseName(name: string): ParsedName {
  for (const kind of resourceKinds()) {
    const ids = idsIn(templateOf(RESOURCES[kind].item), name);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the template's ids are this kind's path parameters
    if (ids !== undefined) return { kind, ...ids } as ParsedName;
  }
  throw new TypeError(`${quoted(name)} is not a resource name; the names are ${resourceKinds().map(form).join(', ')}`);
}

/**
 * The name of the resource above: the destination of a filter, the source of a destination, the workspace of a source or
 * tracking plan; undefined for workspaces and access tokens, which stand alone (S 2.1). Throws a TypeError when the name
 * is of no resource.
 */
export function parentOf(name: string): string | undefined {
  const above = parentTemplate(parseName(name).kind);
  return above === '' ? undefined : name.split('/').slice(0, above.split('/').length).join('/');
}

/** The path parameters of an item, from its name. Throws a TypeError when the name is not one of this kind. */
export function itemIds(kind: ResourceKind, name: string): Ids {
  return idsOf(`client.${kind}`, RESOURCES[kind].item, name);
}

/** The path parameters of a collection, from the name of its parent, if it has one. Throws a TypeError likewise. */
export function collectionIds(kind: ResourceKind, parent: string | undefined): Ids {
  const template = parentTemplate(kind);
  if (template === '' && parent === undefined) return {};
  const ids = template === '' ? undefined : idsIn(template, parent);
  if (ids !== undefined) return ids;
  const expected = template === '' ? 'no parent' : `a parent of the form ${formOf(template)}`;
  throw new TypeError(`client.${kind} takes ${expected}, got ${quoted(parent)}`);
}

function segment(what: string, id: string): string {
  if (typeof id === 'string' && ID.test(id)) return id;
  throw new TypeError(`the ${what} in a name must be a slug or id without slashes, got ${quoted(id)}`);
}

/** Empty for what stands alone. */
function parentTemplate(kind: ResourceKind): string {
  return templateOf(RESOURCES[kind].collection).split('/').slice(0, -1).join('/');
}

function form(kind: ResourceKind): string {
  return formOf(templateOf(RESOURCES[kind].item));
}

function resourceKinds(): readonly ResourceKind[] {
  return Object.keys(RESOURCES).filter(isResourceKind);
}

function isResourceKind(name: string): name is ResourceKind {
  return Object.hasOwn(RESOURCES, name);
}
