import type { CleanSchema } from './read-schema.ts';
import { type Pattern, readPattern } from './pattern.ts';

/** What a rule lists of a value, by name. */
export interface Foreseen {
  /** Undefined where the rule says nothing of the names of its fields: then any will do. */
  readonly fields?: ForeseenFields | undefined;
  /** Of the items, where the value is a list. */
  readonly items?: Foreseen | undefined;
}

interface ForeseenFields {
  readonly names: ReadonlyMap<string, Foreseen>;
  readonly patterns: readonly Pattern[];
  /** Whether the rule says that there may be others. */
  readonly isOpen: boolean;
}

type Fields = Readonly<Record<string, unknown>>;

/** What these schemas, all of them of one value, list together: a name that stands in a branch is listed. */
export function foreseenBy(schemas: readonly CleanSchema[]): Foreseen {
  const views = schemas.flatMap(viewsOf);
  const items = views.flatMap(({ items: one }) => (one === undefined ? [] : [one].flat())).filter(isSchema);
  return { fields: fieldsOf(views), items: items.length === 0 ? undefined : foreseenBy(items) };
}

/** A schema with those that it is put together of. */
function viewsOf(schema: CleanSchema): Fields[] {
  if (typeof schema === 'boolean') return [];
  const parts = ['allOf', 'anyOf', 'oneOf', 'if', 'then', 'else'].flatMap((keyword) => [schema[keyword]].flat());
  return [schema, ...parts.filter(isSchema).flatMap(viewsOf)];
}

function fieldsOf(views: readonly Fields[]): ForeseenFields | undefined {
  const listing = views.filter((view) => view['properties'] ?? view['patternProperties'] ?? hasOthers(view));
  if (listing.length === 0) return undefined;
  const schemas = new Map<string, CleanSchema[]>();
  for (const view of listing) {
    for (const [name, schema] of entriesOf(view['properties'])) {
      if (isSchema(schema)) schemas.set(name, [...(schemas.get(name) ?? []), schema]);
    }
  }
  return {
    names: new Map(Array.from(schemas, ([name, all]) => [name, foreseenBy(all)])),
    patterns: listing.flatMap((view) => entriesOf(view['patternProperties']).map(([text]) => readPattern(text, text))),
    isOpen: views.some((view) => hasOthers(view) && view['additionalProperties'] !== false),
  };
}

function hasOthers(view: Fields): boolean {
  return view['additionalProperties'] !== undefined;
}

function entriesOf(map: unknown): [string, unknown][] {
  return typeof map === 'object' && map !== null ? Object.entries(map) : [];
}

function isSchema(value: unknown): value is CleanSchema {
  return typeof value === 'boolean' || (typeof value === 'object' && value !== null);
}
