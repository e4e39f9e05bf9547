import type { paths } from '../../generated/config-api.d.ts';
import type { Call, Method, Send } from './call.ts';
import { type Listing, listItems } from './lists.ts';
import { readMarked, withTag } from './readings.ts';
import type { ListOptions, ParametersOf, Tagged } from './resource-types.ts';
import type { AnswerOf, BodyOf, PathWith } from './resources.ts';

/** An operation of the contract, by its path and method. */
export type Operation<Path extends keyof paths, Verb extends Method> =
  paths[Path] extends Record<Verb, infer Found> ? Found : never;

/** The body of a success, or what it holds. */
export type Answer<Path extends keyof paths, Verb extends Method = 'get'> = AnswerOf<Operation<Path, Verb>>;

/** The body of a request. */
export type Input<Path extends keyof paths, Verb extends Method = 'post'> = Readonly<BodyOf<Operation<Path, Verb>>>;

/** The query parameters of a read by their names in the contract, but those of paging. */
export type Query<Path extends keyof paths> = {
  readonly [Name in Exclude<keyof QueryParameters<Path>, 'page_size' | 'page_token'>]?:
    | QueryParameters<Path>[Name]
    | undefined;
};

type QueryParameters<Path extends keyof paths> = ParametersOf<Operation<Path, 'get'>, 'query'>;

/** What a list gives one after another. */
export type Listed<
  Path extends PathWith<'get'>,
  Plural extends keyof Answer<Path>,
> = Answer<Path>[Plural] extends readonly (infer Item)[] ? Item : never;

type Asked<Path extends keyof paths, Verb extends Method> = Omit<Call<unknown>, 'read'> & {
  readonly method: Verb;
  readonly path: Path;
};

/** Makes one request, whose answer holds a text, a boolean, a list or an object as `mark`: that tells it from answers of others. */
export function ask<Path extends keyof paths, Verb extends Method>(
  send: Send,
  call: Asked<Path, Verb>,
  mark: keyof Answer<Path, Verb> & string,
): Promise<Answer<Path, Verb>> {
  return send({ ...call, read: (body) => readMarked<Answer<Path, Verb>>(mark, body) });
}

/** As `ask`, with the tag of the state that is answered. */
export function askTagged<Path extends keyof paths>(
  send: Send,
  call: Asked<Path, 'get'>,
  mark: keyof Answer<Path> & string,
): Promise<Tagged<Answer<Path>>> {
  return send({ ...call, read: (body, tag) => withTag(readMarked<Answer<Path>>(mark, body), tag) });
}

/** All items of all pages of an operation of the contract. Throws a TypeError at once for a bad page size. */
export function listAll<Path extends PathWith<'get'>, Plural extends keyof Answer<Path> & string>(
  send: Send,
  listing: Listing & {
    readonly path: Path;
    readonly plural: Plural;
    readonly mark: keyof Listed<Path, Plural>;
  },
  options?: ListOptions & Query<Path>,
): AsyncIterable<Listed<Path, Plural>> {
  return listItems(send, listing, options);
}
