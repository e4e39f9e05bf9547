import type { Turns } from '../fairness/turns.ts';
import { type ApiError, notFound } from '../http/errors.ts';
import { collectionOf, parentOf, workspaceOf } from '../model/resource-names.ts';
import type { Kind, Resources } from '../model/resources.ts';
import type { ConfigStore, Fit, Home, Surroundings } from '../storage/config-store.ts';
import { type Addition, type Noun, requireCreated } from './additions.ts';
import { type Caller, seesWorkspace, sightOf, turnsOfLists } from './callers.ts';
import { matching, type Precondition } from './entity-tag.ts';
import { type Named, nameOf, parentIn, type PathParameters } from './names.ts';
import { type ListAnswer as Listed, listPage, type PageQuery } from './pages.ts';
import { listAcross } from './pages-across.ts';
import { applyMask, type EmptyValues, type Mask, readMask } from './update-mask.ts';

/** A kind whose resources have paths of their own. */
type StoredKind = Kind & Named;

/** Who sees which; those below a workspace are seen with it. */
interface Sight<K extends StoredKind> {
  readonly isVisible?: (caller: Caller, resource: Resources[K]) => boolean;
  /** The 404 of one that is not there. */
  readonly missing?: (name: string) => ApiError;
  /** Of a kind of which few may be visible among many. */
  readonly turns?: Turns;
}

/** What is particular to a kind of resources; the standard methods are made of it, and are the same for all. */
export interface ResourceRow<
  K extends StoredKind,
  Key extends string,
  Plural extends string,
  New,
  Changes,
  Wire,
> extends Sight<K> {
  readonly kind: K;
  /** Its key in bodies and masks. */
  readonly key: Key;
  /** Its key in the answers of List. */
  readonly plural: Plural;
  /** CFG-22: workspaces come ten at a time, everything else by the hundred. */
  readonly pageSize?: number;
  /** The kinds that it stands below in a workspace, outermost first. */
  readonly above?: readonly StoredKind[];
  /** How many there may be below one parent. */
  readonly maximum?: number;
  /** Wire → model; throws what is wrong with it, as far as can be seen without the store. */
  readonly make: (wanted: New, parent: string, caller: Caller) => Resources[K] | Promise<Resources[K]>;
  /** What a new one becomes among all that stands in its workspace; throws what stands in its way. Pure. */
  readonly fit?: Fit<Resources[K]>;
  /** Model → wire. */
  readonly show: (resource: Resources[K]) => Wire;
  readonly more?: More<Wire>;
  /** Every path that an update can name, with the empty value of its field (CFG-8). */
  readonly empties: EmptyValues;
  /**
   * Checks an update as far as can be seen without the resource, and answers what it makes of the resource (D-5). Without
   * paths it is asked for too, and then not applied.
   */
  readonly edit?: (changes: Changes | undefined, paths: readonly string[], name: string) => Edit<K> | Promise<Edit<K>>;
  /** Throws what stands in the way of a removal, which may be forced. */
  readonly refuseRemoval?: (resource: Resources[K], around: Surroundings<Resources[K]>, isForced: boolean) => void;
}

/** What is known of resources beyond their rows, by their names. It changes by itself, so that no tag depends on it. */
type More<Wire> = (names: readonly string[]) => Promise<ReadonlyMap<string, Partial<Wire>>>;

/** Pure: it may be called more than once. */
export type Edit<K extends Kind> = (current: Resources[K], home: Home) => Resources[K];

export interface Request {
  readonly path: PathParameters;
  readonly caller: Caller;
}

export interface Masked {
  readonly update_mask?: Mask;
}

/** The five standard methods of a kind (CFG-1). */
export interface Methods<Key extends string, Plural extends string, New, Changes, Wire> {
  readonly list: (call: Request & { readonly query: PageQuery }) => Promise<ListAnswer<Plural, Wire>>;
  /** Of a whole workspace. */
  readonly listAcross: (call: Request & { readonly query: PageQuery }) => Promise<ListAnswer<Plural, Wire>>;
  readonly create: (call: Request & { readonly body: Readonly<Record<Key, New>> }) => Promise<Wire>;
  readonly get: (call: Request) => Promise<Wire>;
  readonly update: (call: Request & Conditional & { readonly body: UpdateBody<Key, Changes> }) => Promise<Wire>;
  readonly remove: (call: Request & Conditional & { readonly query?: Removal }) => Promise<Record<string, never>>;
}

export interface Conditional {
  readonly header: Precondition;
}

/** The masks beside and inside the resource both count (D-3). */
type UpdateBody<Key extends string, Changes> = Masked & Readonly<Partial<Record<Key, Changes & Masked>>>;

export interface Removal {
  readonly force?: boolean;
}

type ListAnswer<Plural extends string, Wire> = Record<Plural, Wire[]> & { next_page_token: string };

/** The standard methods of a kind. Checks come in one order (D-5). */
export function methodsOf<
  K extends StoredKind,
  Key extends string,
  Plural extends string,
  New,
  Changes extends object,
  Wire extends { readonly name: string },
>(store: ConfigStore, row: ResourceRow<K, Key, Plural, New, Changes, Wire>): Methods<Key, Plural, New, Changes, Wire> {
  const { kind, key, show, empties, missing = notFound } = row;
  const editOf =
    row.edit ?? ((values: Changes | undefined, paths: readonly string[]) => editing(values, paths, empties));
  const match = matching(show);
  return {
    ...readMethods(store, row),

    async create({ path, body, caller }) {
      const resource = await row.make(body[key], parentIn(kind, path), caller);
      await add(store, caller, { kind, resource, maximum: row.maximum, fit: row.fit });
      return show(resource);
    },

    async update({ path, header, body, caller }) {
      const name = nameOf(kind, path);
      const paths = readMask({ key, masks: [body.update_mask, body[key]?.update_mask], empties });
      const edit = await editOf(body[key], paths, name);
      const changed = await store.update(kind, name, (current, home) => {
        match(header, visible(row, caller, current, name));
        return paths.length === 0 ? current : edit(current, home);
      });
      return answer(row, visible(row, caller, changed, name));
    },

    async remove({ path, header, query, caller }) {
      const name = nameOf(kind, path);
      const isRemoved = await store.remove(kind, name, (resource, around) => {
        match(header, visible(row, caller, resource, name));
        row.refuseRemoval?.(resource, around, query?.force === true);
      });
      if (!isRemoved) throw missing(name);
      return {};
    },
  };
}

type Seen<K extends StoredKind, Plural extends string, Wire> = Sight<K> & {
  readonly kind: K;
  readonly plural: Plural;
  readonly pageSize?: number;
  readonly above?: readonly StoredKind[];
} & Answered<K, Wire>;

interface Answered<K extends StoredKind, Wire> {
  readonly show: (resource: Resources[K]) => Wire;
  readonly more?: More<Wire>;
}

function readMethods<K extends StoredKind, Plural extends string, Wire extends { readonly name: string }>(
  store: ConfigStore,
  row: Seen<K, Plural, Wire>,
): Pick<Methods<string, Plural, unknown, unknown, Wire>, 'list' | 'listAcross' | 'get'> {
  const { kind, plural, pageSize: defaultSize, isVisible, turns, above = [] } = row;
  const answered = async ({ items, next_page_token }: Listed<Resources[K]>): Promise<ListAnswer<Plural, Wire>> => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- to the compiler a computed key is any text
    return { [plural]: await answers(row, items), next_page_token } as ListAnswer<Plural, Wire>;
  };
  return {
    async list({ path, query, caller }) {
      const parent = parentIn(kind, path);
      if (parent !== '') await requireParent(store, caller, parent);
      const isSeen = sightOf(caller);
      const isListed = (resource: Resources[K]): boolean => isVisible?.(caller, resource) ?? isSeen(resource.name);
      const inTurns = turns && turnsOfLists(turns, caller);
      return answered(await listPage(store, { kind, parent, query, defaultSize, isVisible: isListed, turns: inTurns }));
    },

    async listAcross({ path, query, caller }) {
      const workspace = await requireParent(store, caller, nameOf('workspaces', path));
      const inTurns = turns && turnsOfLists(turns, caller);
      return answered(await listAcross(store, { kind, above, workspace, query, turns: inTurns }));
    },

    async get({ path, caller }) {
      const name = nameOf(kind, path);
      return answer(row, visible(row, caller, await store.get(kind, name), name));
    },
  };
}

async function answers<K extends StoredKind, Wire>(
  { show, more }: Answered<K, Wire>,
  resources: readonly Resources[K][],
): Promise<Wire[]> {
  const fields = await more?.(resources.map(({ name }) => name));
  return resources.map((resource) => {
    const [wire, beyond] = [show(resource), fields?.get(resource.name)];
    return beyond === undefined ? wire : { ...wire, ...beyond };
  });
}

async function answer<K extends StoredKind, Wire>(row: Answered<K, Wire>, resource: Resources[K]): Promise<Wire> {
  const [wire] = await answers(row, [resource]);
  return wire ?? row.show(resource);
}

/** Passes a resource that is there, and that the caller may see. */
function visible<K extends StoredKind>(
  { isVisible, missing = notFound }: Sight<K>,
  caller: Caller,
  resource: Resources[K] | undefined,
  name: string,
): Resources[K] {
  if (resource === undefined) throw missing(name);
  const isSeen = isVisible?.(caller, resource) ?? seesWorkspace(caller, name);
  if (isSeen) return resource;
  throw missing(name);
}

/** An update that needs no check, and changes nothing else with it. */
export function editing<R extends object>(
  values: object | undefined,
  paths: readonly string[],
  empties: EmptyValues,
): (current: R) => R {
  return (current) => applyMask(current, { values: values ?? {}, paths, empties });
}

/** Passes what the store found; nothing is a 404 (CFG-15). */
export function found<R>(resource: R | undefined, name: string): R {
  if (resource === undefined) throw notFound(name);
  return resource;
}

/** Passes the name; a workspace that the token may not see is a 404, as if it were not there (D-8). */
export function requireVisible(caller: Caller, name: string): string {
  if (seesWorkspace(caller, name)) return name;
  throw notFound(name);
}

const PARENTS = ['workspaces', 'sources', 'destinations'] as const satisfies Kind[];

/** For lists: an empty page would hide that there is no such parent (CFG-15). */
export async function requireParent(store: ConfigStore, caller: Caller, name: string): Promise<string> {
  const kind = PARENTS.find((known) => known === collectionOf(name)) ?? 'workspaces';
  found(await store.get(kind, requireVisible(caller, name)), name);
  return name;
}

/**
 * Stores a new resource. Its workspace has to be there, and is what is named where it is not, whether it is missing or may
 * not be seen.
 */
export async function add<K extends Noun>(
  store: ConfigStore,
  caller: Caller,
  { kind, resource, maximum, fit }: Addition<K>,
): Promise<void> {
  const { name } = resource;
  if (parentOf(name) !== '') await requireParent(store, caller, workspaceOf(name));
  requireCreated(await store.create(kind, resource, maximum, fit), kind, name, maximum);
}

/** RFC 3339 in UTC with whole seconds, as times of tokens and tracking plans are written. */
export function seconds(now: number): string {
  return new Date(now).toISOString().replace(/\.\d+Z$/, 'Z');
}
