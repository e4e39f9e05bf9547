import type { paths } from '../../generated/config-api.d.ts';

/** Paths of the contract that have this method. */
export type PathWith<Method extends string> = {
  [Path in keyof paths]: paths[Path] extends Record<Method, { responses: unknown }> ? Path : never;
}[keyof paths];

type CollectionPath = PathWith<'get' | 'post'>;
type ItemPath = PathWith<'get' | 'patch' | 'delete'>;

/** The JSON of a body or an answer. */
type Json<Message> = Message extends { content: { 'application/json': infer Body } } ? Body : never;
export type BodyOf<Operation> = Operation extends { requestBody?: infer Request } ? Json<NonNullable<Request>> : never;
export type AnswerOf<Operation> = Operation extends { responses: { 200: infer Success } } ? Json<Success> : never;

/** What an update of the item may hold, as the contract has it. */
export type UpdateOf<Item extends ItemPath, Key extends PropertyKey> =
  BodyOf<paths[Item]['patch']> extends { [Name in Key]?: infer Update }
    ? Omit<NonNullable<Update>, 'update_mask'>
    : never;

/** Fields that are objects with named fields of their own; lists, maps, free-form JSON and definitions are values as a whole. */
export type NestedFieldOf<Update> = {
  [Field in keyof Update]-?: Field extends 'definition'
    ? never
    : IsNested<NonNullable<Update[Field]>> extends true
      ? Field
      : never;
}[keyof Update];

type IsNested<Value> = Value extends readonly unknown[]
  ? false
  : Value extends object
    ? string extends keyof Value
      ? false
      : true
    : false;

/** Where a resource stands in the contract. A key, a field or a path that the contract does not have is a compile error. */
interface Row<Collection extends CollectionPath, Item extends ItemPath> {
  readonly collection: Collection;
  readonly item: Item;
  /** The resource's key in the bodies of create and update, and before the paths of an update mask (S 4.1). */
  readonly key: keyof BodyOf<paths[Collection]['post']> & Exclude<keyof BodyOf<paths[Item]['patch']>, 'update_mask'>;
  /** The key of the items in the answers of List (D-1). */
  readonly plural: Exclude<keyof AnswerOf<paths[Collection]['get']>, 'next_page_token'>;
  /** Fields whose own fields have paths in an update mask: all that have any. */
  readonly nested: {
    readonly [Field in NestedFieldOf<UpdateOf<Item, Exclude<keyof BodyOf<paths[Item]['patch']>, 'update_mask'>>>]: true;
  };
}

/** A row as the generic methods see it. */
export interface ResourceRow {
  readonly collection: keyof paths;
  readonly item: keyof paths;
  readonly key: string;
  readonly plural: string;
  readonly nested: Readonly<Record<string, true>>;
}

function resource<const Collection extends CollectionPath, const Item extends ItemPath>(
  row: Row<Collection, Item>,
): Row<Collection, Item> {
  return row;
}

/** The five resources (S 1, S 4.1), and filters, audiences and computed traits, which have the same methods. Names, types, methods and update masks all follow from these rows. */
export const RESOURCES = {
  accessTokens: resource({
    collection: '/v1beta/access-tokens',
    item: '/v1beta/access-tokens/{access_token}',
    key: 'access_token',
    plural: 'access_tokens',
    nested: {},
  }),
  workspaces: resource({
    collection: '/v1beta/workspaces',
    item: '/v1beta/workspaces/{workspace}',
    key: 'workspace',
    plural: 'workspaces',
    nested: {},
  }),
  sources: resource({
    collection: '/v1beta/workspaces/{workspace}/sources',
    item: '/v1beta/workspaces/{workspace}/sources/{source}',
    key: 'source',
    plural: 'sources',
    nested: { library_config: true },
  }),
  destinations: resource({
    collection: '/v1beta/workspaces/{workspace}/sources/{source}/destinations',
    item: '/v1beta/workspaces/{workspace}/sources/{source}/destinations/{destination}',
    key: 'destination',
    plural: 'destinations',
    nested: {},
  }),
  filters: resource({
    collection: '/v1beta/workspaces/{workspace}/sources/{source}/destinations/{destination}/filters',
    // The form of the names that the API gives to filters.
    item: '/v1beta/workspaces/{workspace}/sources/{source}/destinations/{destination}/config/{config}/filters/{filter}',
    key: 'filter',
    plural: 'filters',
    nested: {},
  }),
  trackingPlans: resource({
    collection: '/v1beta/workspaces/{workspace}/tracking-plans',
    item: '/v1beta/workspaces/{workspace}/tracking-plans/{tracking_plan}',
    key: 'tracking_plan',
    plural: 'tracking_plans',
    nested: {},
  }),
  audiences: resource({
    collection: '/v1beta/workspaces/{workspace}/audiences',
    item: '/v1beta/workspaces/{workspace}/audiences/{audience}',
    key: 'audience',
    plural: 'audiences',
    nested: {},
  }),
  computedTraits: resource({
    collection: '/v1beta/workspaces/{workspace}/computed-traits',
    item: '/v1beta/workspaces/{workspace}/computed-traits/{computed_trait}',
    key: 'computed_trait',
    plural: 'computed_traits',
    nested: {},
  }),
} as const;

/** The resources by the names that they have on the client. */
export type ResourceKind = keyof typeof RESOURCES;
