import type { components } from '../../generated/config-api.d.ts';
import { beginningsOf } from '../audiences/computations.ts';
import { DefinitionFault } from '../audiences/definition-fault.ts';
import type { NamedElsewhere, ReadDefinition } from '../audiences/definition.ts';
import { referencesOf } from '../audiences/measures.ts';
import { isWebhooks } from '../destinations/kind.ts';
import { wordsOf } from '../fql/functions.ts';
import { ApiError, invalid } from '../http/errors.ts';
import type { Definition, TraitDefinition } from '../model/definition.ts';
import { parentOf } from '../model/resource-names.ts';
import type { Audience, ComputedTrait } from '../model/resources.ts';
import type { Home } from '../storage/config-store.ts';
import type { Env } from './env.ts';
import { NewNames } from './new-names.ts';
import { applyMask, type EmptyValues } from './update-mask.ts';

type Schemas = components['schemas'];

/** A definition is replaced, and never emptied: without a value it is a 400. */
const EMPTIES: EmptyValues = { display_name: '', enabled: false, destinations: [], definition: undefined };

/** What audiences and computed traits have in common. */
export type Computed<D> = Omit<Audience, 'definition'> & { readonly definition: D };

/** What is sent of a new one. */
export interface NewComputed {
  readonly display_name: string;
  readonly definition: unknown;
  readonly enabled?: boolean;
  readonly destinations?: readonly string[];
}

type ComputedChanges = Partial<NewComputed>;

/** What tells the two apart. */
export interface ComputedKind<D extends Definition | TraitDefinition> {
  readonly kind: 'audiences' | 'computed-traits';
  /** Its key in bodies. */
  readonly key: 'audience' | 'computed_trait';
  readonly prefix: 'aud' | 'tra';
  readonly read: (value: unknown, place: string, workspace: string) => ReadDefinition<D>;
  /** Throws a DefinitionFault where a definition does not hold among all that stands. */
  readonly check?: (changed: Computed<D>, home: Home, place: string) => void;
}

/** What is particular to them in the standard methods. */
export function computedMethods<D extends Definition | TraitDefinition>(
  kind: ComputedKind<D>,
  { clock, newNames = new NewNames() }: Pick<Env, 'clock' | 'newNames'>,
) {
  const now = (): string => new Date(clock.now()).toISOString();
  return {
    empties: EMPTIES,
    make(wanted: NewComputed, parent: string): Computed<D> {
      const name = `${parent}/${kind.kind}/${newNames.prefixed(kind.prefix)}`;
      return made(kind, wanted, name, now());
    },
    fit: (one: Computed<D>, home: Home): Computed<D> => fitted(kind, one, home),
    edit(changes: ComputedChanges = {}, paths: readonly string[], name: string) {
      const isNew = paths.includes('definition');
      const definition = isNew ? readOf(kind, changes.definition, parentOf(name)).definition : undefined;
      const edit = { changes, paths, definition, now: now() };
      return (current: Computed<D>, home: Home): Computed<D> => edited(kind, edit, current, home);
    },
    refuseRemoval: ({ name }: { readonly name: string }, home: Home): void => refuseUsed(name, home),
  };
}

function readOf<D extends Definition | TraitDefinition>(kind: ComputedKind<D>, value: unknown, workspace: string) {
  return readIn(() => kind.read(value, `${kind.key}.definition`, workspace));
}

/** As it was sent, and without its beginnings, which it gets among what stands. */
function made<D extends Definition | TraitDefinition>(
  kind: ComputedKind<D>,
  wanted: NewComputed,
  name: string,
  now: string,
): Computed<D> {
  const { display_name, enabled = true } = wanted;
  const key = keyOf(display_name);
  if (key === undefined) {
    const seen = JSON.stringify(display_name);
    throw invalid(`${kind.key}.display_name must have a letter, as the key is made of it, got ${seen}`);
  }
  return {
    name,
    key,
    display_name,
    definition: readOf(kind, wanted.definition, parentOf(name)).definition,
    enabled,
    destinations: [...(wanted.destinations ?? [])],
    measures_from: {},
    profiles_from: now,
    create_time: now,
    update_time: now,
  };
}

function fitted<D extends Definition | TraitDefinition>(
  kind: ComputedKind<D>,
  one: Computed<D>,
  home: Home,
): Computed<D> {
  const standing = computedIn(home);
  const other = standing.find(({ key }) => key === one.key);
  const retired = home.get('computation-keys', `${parentOf(one.name)}/computation-keys/${one.key}`) !== undefined;
  if (other !== undefined) throw taken(one.key, `it is that of ${other.name}`);
  if (retired) throw taken(one.key, 'it was that of one that was deleted, so choose another name');
  checkDestinations(one.destinations, { kind, name: one.name, kept: [] }, home);
  checkDefinition(kind, one, home);
  const destinations = [...new Set(one.destinations)];
  return { ...one, destinations, ...beginningsOf(one.definition, begunIn(home), one.create_time) };
}

interface ComputedEdit<D> {
  readonly changes: ComputedChanges;
  readonly paths: readonly string[];
  /** Where it is to be changed. */
  readonly definition: D | undefined;
  readonly now: string;
}

function edited<D extends Definition | TraitDefinition>(
  kind: ComputedKind<D>,
  { changes, paths, definition, now }: ComputedEdit<D>,
  current: Computed<D>,
  home: Home,
): Computed<D> {
  const destinations = [...new Set(changes.destinations)];
  const values = { ...changes, definition, destinations };
  const changed = { ...applyMask(current, { values, paths, empties: EMPTIES }), update_time: now };
  // One that was deleted since stays named until it is taken off.
  const { name, destinations: kept } = current;
  if (paths.includes('destinations')) checkDestinations(changes.destinations ?? [], { kind, name, kept }, home);
  if (definition === undefined) return changed;
  checkDefinition(kind, changed, home);
  return { ...changed, ...beginningsOf(definition, begunIn(home), now) };
}

/** Reads a definition of a body; a fault is a 400 with its place. */
export function readIn<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof DefinitionFault) throw new ApiError('InvalidArgument', error.message, { cause: error });
    throw error;
  }
}

function checkDefinition<D extends Definition | TraitDefinition>(
  kind: ComputedKind<D>,
  changed: Computed<D>,
  home: Home,
): void {
  for (const named of readOf(kind, changed.definition, parentOf(changed.name)).names) {
    if (home.get(named.kind, named.name) === undefined) throw missingName(named);
  }
  readIn(() => kind.check?.(changed, home, `${kind.key}.definition`));
}

export function missingName({ place, name }: NamedElsewhere): ApiError {
  return invalid(`${place}: ${name} does not exist`);
}

/** What audiences are defined by is not removed. */
function refuseUsed(name: string, home: Home): void {
  const user = home.all('audiences').find((one) => one.name !== name && referencesOf(one.definition).includes(name));
  if (user === undefined) return;
  throw new ApiError(
    'AlreadyExists',
    `${name} is used by the definition of ${user.name}, which exists: change that first`,
  );
}

function computedIn(home: Home): readonly (Audience | ComputedTrait)[] {
  return [...home.all('audiences'), ...home.all('computed-traits')];
}

/** All that says since when something is kept. */
function begunIn(home: Home) {
  return [...computedIn(home), ...home.all('profile-beginnings')];
}

interface Telling {
  readonly kind: { readonly key: string };
  /** Of what tells them. */
  readonly name: string;
  /** Those that it told before. */
  readonly kept: readonly string[];
}

function checkDestinations(destinations: readonly string[], { kind, name, kept }: Telling, home: Home): void {
  const within = `${parentOf(name)}/sources/`;
  for (const [index, destination] of destinations.entries()) {
    if (kept.includes(destination)) continue;
    const place = `${kind.key}.destinations[${index}]`;
    const seen = JSON.stringify(destination.slice(0, 200));
    if (!destination.startsWith(within) || destination.split('/').length !== 6) {
      throw invalid(`${place} must be a name of the form ${within}<source>/destinations/<destination>, got ${seen}`);
    }
    const stored = home.get('destinations', destination);
    if (stored === undefined)
      throw invalid(`${place}: ${destination} does not exist: create it first, or leave it out`);
    if (!isWebhooks(stored)) throw invalid(`${place}: ${destination} is no webhooks destination`);
  }
}

function taken(key: string, what: string): ApiError {
  return new ApiError('AlreadyExists', `the key ${JSON.stringify(key)} already exists: ${what}`);
}

type Shown = Pick<
  Schemas['Audience'],
  | 'name'
  | 'key'
  | 'display_name'
  | 'enabled'
  | 'destinations'
  | 'state'
  | 'history_from'
  | 'create_time'
  | 'update_time'
>;

/** As far as it is known without its syncs. */
export function shownComputed(stored: Computed<unknown>, { directory }: Pick<Env, 'directory'>): Shown {
  const { measures_from: _from, profiles_from, definition: _definition, health: _health, ...shown } = stored;
  // A moment ago made, it may not be known here yet.
  const known = directory.computations(parentOf(stored.name)).get(stored.name);
  const state = stored.enabled ? 'PREPARING' : 'DISABLED';
  return { ...shown, state, history_from: known?.historyFrom ?? profiles_from };
}

/**
 * The trait that an audience or a computed trait is told as: the snake_case form of its name (AUD-2). Undefined for a name
 * without letters.
 */
export function keyOf(displayName: string): string | undefined {
  // An apostrophe parts no words: nobody calls it `don_t`, and a key is for ever.
  const text = displayName.normalize('NFC').replaceAll(/(?<=\p{L})['’](?=\p{L})/gu, '');
  const key = wordsOf(text).join('_');
  return /\p{L}/u.test(key) ? key : undefined;
}
