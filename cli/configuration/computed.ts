import { destinationName, sourceName, workspaceName } from '../../client/config/resource-names.ts';
import { isObject } from '../contract/schemas.ts';
import { CommandFailed } from '../failure.ts';
import { type ComputedKind, COMPUTED_KINDS, type Fields, type WorkspaceNode } from './model.ts';

/** What a definition or its destinations refer to. */
type Referred = ComputedKind | 'sources' | 'destinations';
type Rename = (kind: Referred, name: string) => string;

const KINDS = {
  audiences: { words: 'audience', path: 'audiences' },
  computedTraits: { words: 'computed trait', path: 'computed-traits' },
} as const satisfies Record<ComputedKind, object>;

/** `main/audience "Big spenders"` */
export function labelOf(workspace: string, kind: ComputedKind, key: string): string {
  return `${workspace}/${KINDS[kind].words} ${key}`;
}

/** An audience or computed trait of a router, as a file has it: what it refers to stands there by slugs and display names. */
export function asInFile(fields: Fields, titles: ReadonlyMap<string, string>): Fields {
  return renamed(fields, (kind, name) => {
    const [, , , source = '', , destination = ''] = name.split('/');
    if (kind === 'sources') return source;
    return kind === 'destinations' ? `${source}/${destination}` : (titles.get(name) ?? name);
  });
}

/** The same with the full names that the API takes; `known` has those of audiences and computed traits by their labels. */
export function asInApi(fields: Fields, workspace: string, known: ReadonlyMap<string, string>): Fields {
  return renamed(fields, (kind, name) => {
    if (kind === 'sources') return sourceName(workspace, name);
    if (kind !== 'destinations') return known.get(labelOf(workspace, kind, JSON.stringify(name))) ?? name;
    const [source = '', ...destination] = name.split('/');
    return destinationName(workspace, source, destination.join('/'));
  });
}

/** The full name of what was just made, or of what a router has. */
export function computedName(workspace: string, kind: ComputedKind, id: string): string {
  return `${workspaceName(workspace)}/${KINDS[kind].path}/${id}`;
}

/** The display names of the audiences and computed traits that fields refer to. */
export function referencesIn(fields: Fields): readonly (readonly [kind: ComputedKind, title: string])[] {
  const found: [ComputedKind, string][] = [];
  renamed(fields, (kind, name) => {
    if (kind === 'audiences' || kind === 'computedTraits') found.push([kind, name]);
    return name;
  });
  return found;
}

/** The slugs of the sources that fields of a file refer to. */
export function sourcesIn(fields: Fields): readonly string[] {
  const found: string[] = [];
  renamed(fields, (kind, name) => {
    if (kind === 'sources' || kind === 'destinations') found.push(name.split('/')[0] ?? '');
    return name;
  });
  return found;
}

/** A file tells audiences apart by their names alone, so that what refers to one is right. */
export function requireDistinct(workspace: string, { computed }: WorkspaceNode): void {
  for (const kind of COMPUTED_KINDS) {
    const titles = computed[kind].map(({ fields }) => fields['display_name']);
    const twice = titles.find((title, index) => titles.indexOf(title) !== index);
    if (twice === undefined) continue;
    const label = labelOf(workspace, kind, JSON.stringify(twice));
    throw new CommandFailed(`${label} is there twice: a file knows it by its display_name, so rename one`);
  }
}

function renamed({ definition, destinations, ...others }: Fields, rename: Rename): Fields {
  return {
    ...others,
    ...(definition === undefined ? {} : { definition: inDefinition(definition, rename) }),
    ...(Array.isArray(destinations)
      ? { destinations: destinations.map((name) => rename('destinations', String(name))) }
      : {}),
  };
}

/** Comparisons hold values, in which nothing is a name. */
function inDefinition(value: unknown, rename: Rename): unknown {
  if (Array.isArray(value)) return value.map((item) => inDefinition(item, rename));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, inField(key, inner, rename)]));
}

function inField(key: string, value: unknown, rename: Rename): unknown {
  if (key === 'is') return value;
  if (key === 'member_of' && typeof value === 'string') return rename('audiences', value);
  if (key === 'computed_trait' && typeof value === 'string') return rename('computedTraits', value);
  if (key === 'sources' && Array.isArray(value)) return value.map((name) => rename('sources', String(name)));
  return inDefinition(value, rename);
}
