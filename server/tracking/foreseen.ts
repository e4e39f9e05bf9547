import type { CleanSchema } from './read-schema.ts';
import type { Pattern, Patterns } from './pattern.ts';
import { entriesIn, type Fields, isSchema, schemaEntriesIn } from './schema-parts.ts';

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

/** What these schemas, all of them of one value, list together: a name that stands in a branch is listed. */
export function foreseenBy(schemas: readonly CleanSchema[], patterns: Patterns): Foreseen {
  const views = schemas.flatMap(viewsOf);
  const items = views.flatMap(({ items: one }) => (one === undefined ? [] : [one].flat())).filter(isSchema);
  return { fields: fieldsOf(views, patterns), items: items.length === 0 ? undefined : foreseenBy(items, patterns) };
}

/** A schema with those that it is put together of. */
function viewsOf(schema: CleanSchema): Fields[] {
  if (typeof schema === 'boolean') return [];
  const parts = ['allOf', 'anyOf', 'oneOf', 'if', 'then', 'else'].flatMap((keyword) => [schema[keyword]].flat());
  return [schema, ...parts.filter(isSchema).flatMap(viewsOf)];
}

function fieldsOf(views: readonly Fields[], patterns: Patterns): ForeseenFields | undefined {
  const listing = views.filter((view) => view['properties'] ?? view['patternProperties'] ?? hasOthers(view));
  if (listing.length === 0) return undefined;
  const schemas = new Map<string, CleanSchema[]>();
  for (const view of listing) {
    for (const [name, schema] of schemaEntriesIn(view, 'properties')) {
      schemas.set(name, [...(schemas.get(name) ?? []), schema]);
    }
  }
  return {
    names: new Map(Array.from(schemas, ([name, all]) => [name, foreseenBy(all, patterns)])),
    patterns: listing.flatMap((view) => entriesIn(view, 'patternProperties').map(([text]) => patterns.of(text, text))),
    isOpen: views.some((view) => hasOthers(view) && view['additionalProperties'] !== false),
  };
}

function hasOthers(view: Fields): boolean {
  return view['additionalProperties'] !== undefined;
}
