import { ApiError } from '../http/errors.ts';
import type { Directory } from '../directory/directory.ts';
import type { AccessTokens } from './access-tokens.ts';
import type { Caller } from './caller.ts';
import { isObject } from '../events/json-values.ts';
import type { Source } from './source.ts';

export interface KeyPorts {
  readonly directory: Pick<Directory, 'sourceByWriteKey'>;
  readonly accessTokens: AccessTokens;
}

/** The `writeKey` of a query, of a batch at its top, or of a single call. */
export function keyIn(holder: { readonly writeKey?: unknown }): string | undefined {
  return typeof holder.writeKey === 'string' && holder.writeKey !== '' ? holder.writeKey : undefined;
}

/**
 * The key that the calls of a batch carry themselves; those that carry none belong to it too. A batch goes to one source,
 * so two keys are refused rather than one of them followed.
 */
export function keyInCalls(calls: readonly unknown[]): string | undefined {
  let key: string | undefined;
  for (const call of calls) {
    const own = isObject(call) ? keyIn(call) : undefined;
    if (own !== undefined && key !== undefined && own !== key) {
      throw new ApiError('InvalidArgument', 'the calls of the batch carry different write keys: send a batch for each');
    }
    key ??= own;
  }
  return key;
}

/**
 * The source of the header's key, else of the first key that is found; each place is looked at only when it is needed.
 * Throws where the source asks for an access token besides, and the caller has none that does.
 */
export async function sourceOfCall(
  { directory, accessTokens }: KeyPorts,
  caller: Pick<Caller, 'source' | 'token' | 'unknownKey'>,
  places: readonly (() => string | undefined)[],
): Promise<Source> {
  if (caller.unknownKey !== undefined) throw new UnknownWriteKey(caller.unknownKey);
  const source = caller.source ?? sourceOf(directory, firstKey(places));
  await accessTokens.check(source, caller.token);
  return source;
}

function firstKey(places: readonly (() => string | undefined)[]): string[] {
  for (const place of places) {
    const key = place();
    if (key !== undefined) return [key];
  }
  return [];
}

/**
 * The source that has the first of these keys that is known; throws Unauthenticated where there is none (D-41). The keys
 * themselves are never shown.
 */
export function sourceOf(directory: KeyPorts['directory'], keys: readonly string[]): Source {
  for (const key of keys) {
    const source = directory.sourceByWriteKey(key);
    if (source !== undefined) return source;
  }
  const [key] = keys;
  throw key === undefined ? new ApiError('Unauthenticated', NO_KEY) : new UnknownWriteKey(key);
}

const NO_KEY =
  'no write key: send it as the user name of an Authorization: Basic header, or as writeKey in the body or the query';

/** A key was sent that no source has. */
export class UnknownWriteKey extends ApiError {
  /** As it was sent; never shown. */
  readonly key: string;

  constructor(key: string) {
    super('Unauthenticated', 'the write key belongs to no source: compare it with write_keys of the source');
    this.key = key;
  }
}
