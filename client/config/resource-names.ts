import type { Ids } from './call.ts';
import type { NameIds } from './resource-types.ts';
import { type ResourceKind, RESOURCES } from './resources.ts';

const PREFIX = '/v1beta/';

/**
 * What may stand between the slashes of a name. Which of these ids exist, and which are allowed, the API decides; `.`
 * and `..` alone would leave the path, so they are refused here.
 */
const ID = /^(?!\.{1,2}$)[^/\p{Cc}\p{Cs}]+$/u;

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
    const ids = matchTemplate(nameTemplate(kind), name);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the template's ids are this kind's path parameters
    if (ids !== undefined) return { kind, ...ids } as ParsedName;
  }
  throw new TypeError(`${quoted(name)} is not a resource name; the names are ${resourceKinds().map(form).join(', ')}`);
}

/**
 * The name of the resource above: the source of a destination, the workspace of a source or tracking plan; undefined for
 * workspaces and access tokens, which stand alone (S 2.1). Throws a TypeError when the name is of no resource.
 */
export function parentOf(name: string): string | undefined {
  parseName(name);
  const parent = name.split('/').slice(0, -2).join('/');
  return parent === '' ? undefined : parent;
}

/** The path parameters of an item, from its name. Throws a TypeError when the name is not one of this kind. */
export function itemIds(kind: ResourceKind, name: string): Ids {
  const ids = matchTemplate(nameTemplate(kind), name);
  if (ids !== undefined) return ids;
  throw new TypeError(`client.${kind} takes names of the form ${form(kind)}, got ${quoted(name)}`);
}

/** The path parameters of a collection, from the name of its parent, if it has one. Throws a TypeError likewise. */
export function collectionIds(kind: ResourceKind, parent: string | undefined): Ids {
  const template = nameTemplate(kind).split('/').slice(0, -2).join('/');
  if (template === '' && parent === undefined) return {};
  const ids = template === '' ? undefined : matchTemplate(template, parent);
  if (ids !== undefined) return ids;
  const expected = template === '' ? 'no parent' : `a parent of the form ${shownForm(template)}`;
  throw new TypeError(`client.${kind} takes ${expected}, got ${quoted(parent)}`);
}

function segment(what: string, id: string): string {
  if (typeof id === 'string' && ID.test(id)) return id;
  throw new TypeError(`the ${what} in a name must be a slug or id without slashes, got ${quoted(id)}`);
}

/** A resource name is its path without the version (S 2.1). */
function nameTemplate(kind: ResourceKind): string {
  return RESOURCES[kind].item.slice(PREFIX.length);
}

function matchTemplate(template: string, name: unknown): Ids | undefined {
  if (typeof name !== 'string') return undefined;
  const steps = template.split('/');
  const parts = name.split('/');
  if (parts.length !== steps.length) return undefined;
  const ids: Record<string, string> = {};
  for (const [index, step] of steps.entries()) {
    const part = parts[index] ?? '';
    const parameter = /^\{(\w+)\}$/.exec(step)?.[1];
    if (parameter === undefined ? part !== step : !ID.test(part)) return undefined;
    if (parameter !== undefined) ids[parameter] = part;
  }
  return ids;
}

function form(kind: ResourceKind): string {
  return shownForm(nameTemplate(kind));
}

function shownForm(template: string): string {
  return template.replaceAll('{', '<').replaceAll('}', '>');
}

function quoted(value: unknown): string {
  return typeof value === 'string' ? JSON.stringify(value.slice(0, 200)) : String(value);
}

function resourceKinds(): readonly ResourceKind[] {
  return Object.keys(RESOURCES).filter(isResourceKind);
}

function isResourceKind(name: string): name is ResourceKind {
  return Object.hasOwn(RESOURCES, name);
}
