import type { paths } from '../../generated/config-api.d.ts';
import type { AnswerOf, BodyOf, NestedFieldOf, RESOURCES, ResourceKind, UpdateOf } from './resources.ts';

type Rows = typeof RESOURCES;
type Collection<Kind extends ResourceKind> = paths[Rows[Kind]['collection']];
type Item<Kind extends ResourceKind> = paths[Rows[Kind]['item']];
type Updatable<Kind extends ResourceKind> = UpdateOf<Rows[Kind]['item'], Rows[Kind]['key']>;

/** A resource as the API answers it: `Resource<'sources'>` (D-1). */
export type Resource<Kind extends ResourceKind> = AnswerOf<Item<Kind>['get']>;

/** What a resource is created from (S 4.1). */
export type NewResource<Kind extends ResourceKind> =
  BodyOf<Collection<Kind>['post']> extends Record<Rows[Kind]['key'], infer Input> ? Input : never;

/**
 * Changes to a resource: the fields that an update can change, each with its new value (S 4.1). A field that is
 * undefined is not changed. Fields that only the server sets are refused, as in a resource that was spread.
 */
export type Changes<Kind extends ResourceKind> = {
  readonly [Field in keyof Updatable<Kind>]?: Change<Updatable<Kind>[Field]> | undefined;
} & { readonly [Field in Exclude<keyof Resource<Kind>, keyof Updatable<Kind>>]?: undefined };

type Change<Value> = Value extends readonly unknown[]
  ? Readonly<Value>
  : Value extends object
    ? { readonly [Field in keyof Value]: Value[Field] | undefined }
    : Value;

type BarePath<Update> =
  | (keyof Update & string)
  | {
      [Field in NestedFieldOf<Update> & string]: `${Field}.${keyof NonNullable<Update[Field]> & string}`;
    }[NestedFieldOf<Update> & string];

/** A path of an update mask, with or without the resource's key in front (S 4.1, D-3): `enabled`, `destination.enabled`. */
export type UpdatePath<Kind extends ResourceKind> =
  | BarePath<Updatable<Kind>>
  | `${Rows[Kind]['key'] & string}.${BarePath<Updatable<Kind>>}`;

export type ParametersOf<Operation, Place extends 'path' | 'query'> = Operation extends {
  parameters: { [Name in Place]?: infer Parameters };
}
  ? NonNullable<Parameters>
  : never;

type HasParent<Kind extends ResourceKind> = [ParametersOf<Collection<Kind>['get'], 'path'>] extends [never]
  ? false
  : true;

/** The ids in a resource's name, by path parameter: `{ workspace: 'main', source: 'js' }`. */
export type NameIds<Kind extends ResourceKind> = Readonly<ParametersOf<Item<Kind>['get'], 'path'>>;

/** Options of every call. */
export interface CallOptions {
  /** Ends the call, its waits included; the call rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** Options of a change. */
export interface ChangeOptions extends CallOptions {
  /**
   * The `etag` of the state that the change was decided on, of `getTagged`. Where the resource has another by now, nothing is
   * changed, and the call rejects with `AlreadyExists`.
   */
  readonly ifMatch?: string | undefined;
}

/** A resource, and the tag of the state in which it was read. */
export interface Tagged<R> {
  readonly resource: R;
  readonly etag: string;
}

/** Options of a list (S 2.3, S 4.1). */
export interface ListOptions extends CallOptions {
  /** How many items each request asks for (S 2.3); 0 or absent takes the router's default, at most 1000 are given (D-7). */
  readonly pageSize?: number | undefined;
}

/** Options of an update (S 4.1, D-3). */
export interface UpdateOptions<Kind extends ResourceKind> extends ChangeOptions {
  /** The update mask in place of the one that the changes give; a path without a value empties its field (S 4.1). */
  readonly paths?: readonly UpdatePath<Kind>[] | undefined;
}

/** Options of a delete: those of every change, and the query parameters that the contract has for this resource. */
export type DeleteOptions<Kind extends ResourceKind> = ChangeOptions &
  ([ParametersOf<Item<Kind>['delete'], 'query'>] extends [never]
    ? unknown
    : ParametersOf<Item<Kind>['delete'], 'query'>);

/** `list(parent, options?)`; without a parent for resources that have none. */
export type ListArguments<Kind extends ResourceKind> =
  HasParent<Kind> extends true ? [parent: string, options?: ListOptions] : [options?: ListOptions];

/** `create(resource, options?)`; with the parent first where the API generates the id, and the resource has no name yet. */
export type CreateArguments<Kind extends ResourceKind> =
  NewResource<Kind> extends { name: string }
    ? [resource: NewResource<Kind>, options?: CallOptions]
    : HasParent<Kind> extends true
      ? [parent: string, resource: NewResource<Kind>, options?: CallOptions]
      : [resource: NewResource<Kind>, options?: CallOptions];
