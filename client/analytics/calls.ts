import type { CallResult } from './result.ts';
import type { CallType } from './wire.ts';

/** A numeric id is sent as its text. */
export type Id = string | number;

export type Fields = Readonly<Record<string, unknown>>;

/** An object of the caller's, be its type an interface, a class or a literal; no list, map or set. */
export type Properties = Fields | (object & { readonly [Symbol.iterator]?: never });

/** Destinations by published name, case-sensitive; `all: false` switches off all that are not explicitly true. */
export type Integrations = Readonly<Record<string, boolean | Fields>>;

/** What every call may carry beside its own fields. */
export interface CallOptions {
  /** `ip`, `userAgent` and the like; nothing of it is filled in, but `library`. */
  readonly context?: Properties | undefined;
  /** When it took place; now, when left out. A text needs a zone: `Z` or an offset (LIB-17). */
  readonly timestamp?: Date | string | undefined;
  readonly anonymousId?: Id | undefined;
  readonly integrations?: Integrations | undefined;
  /** Up to 100 characters; a UUID, when left out. The server drops a second message with the same id. */
  readonly messageId?: string | undefined;
  /** Called once, when the message was delivered or was given up. */
  readonly onSettled?: ((result: CallResult) => void) | undefined;
}

/** `alias` has no anonymous id. */
export type AliasOptions = Omit<CallOptions, 'anonymousId'>;

type Absent = null | undefined;

/** A message names its user, or its anonymous session, or both. */
type Who<User extends Id> =
  | { readonly userId: User; readonly anonymousId?: Id | undefined }
  | { readonly userId?: User | Absent; readonly anonymousId: Id };

export type IdentifyMessage = AliasOptions & Who<Id> & { readonly traits?: Properties | undefined };
export type TrackMessage = AliasOptions &
  Who<string> & { readonly event: string; readonly properties?: Properties | undefined };
export type PageMessage = AliasOptions & Who<string> & Viewed;
export type ScreenMessage = AliasOptions & Who<Id> & Viewed;
export type GroupMessage = AliasOptions & Who<Id> & { readonly groupId: Id; readonly traits?: Properties | undefined };
export type AliasMessage = AliasOptions & { readonly previousId: string; readonly userId: string };

interface Viewed {
  readonly category?: string | undefined;
  readonly name?: string | undefined;
  readonly properties?: Properties | undefined;
}

/**
 * The six calls, positional, in the documented order (S 4.4), and as one object (LIB-1, D-51). A user id may be null where
 * `anonymousId` is given instead. `Result` is a `CallResult`, or a promise of one in `syncMode`.
 */
export interface Calls<Result> {
  readonly identify: {
    (userId: Id | Absent, traits?: Properties | Absent, options?: CallOptions): Result;
    (message: IdentifyMessage): Result;
  };
  readonly track: {
    (userId: string | Absent, event: string, properties?: Properties | Absent, options?: CallOptions): Result;
    (message: TrackMessage): Result;
  };
  readonly page: {
    (
      userId: string | Absent,
      category?: string | Absent,
      name?: string | Absent,
      properties?: Properties | Absent,
      options?: CallOptions,
    ): Result;
    (message: PageMessage): Result;
  };
  readonly screen: {
    (
      userId: Id | Absent,
      category?: string | Absent,
      name?: string | Absent,
      properties?: Properties | Absent,
      options?: CallOptions,
    ): Result;
    (message: ScreenMessage): Result;
  };
  readonly group: {
    (userId: Id | Absent, groupId: Id, traits?: Properties | Absent, options?: CallOptions): Result;
    (message: GroupMessage): Result;
  };
  readonly alias: {
    (previousId: string, userId: string, options?: AliasOptions): Result;
    (message: AliasMessage): Result;
  };
}

/** The fields that the positions of a call stand for; after them comes one options object. */
export const POSITIONS = {
  identify: ['userId', 'traits'],
  track: ['userId', 'event', 'properties'],
  page: ['userId', 'category', 'name', 'properties'],
  screen: ['userId', 'category', 'name', 'properties'],
  group: ['userId', 'groupId', 'traits'],
  alias: ['previousId', 'userId'],
} as const satisfies Record<CallType, readonly string[]>;

/** One form for both ways of calling. Nothing is checked yet, and the caller's objects are only read. */
export function givenFields(type: CallType, args: readonly unknown[]): Fields {
  const [first] = args;
  if (isFields(first)) return first;
  const names = POSITIONS[type];
  const options = args[names.length];
  const given: Record<string, unknown> = isFields(options) ? { ...options } : {};
  for (const [at, name] of names.entries()) given[name] = args[at];
  return given;
}

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
