import type { Kind, Resources } from '../../model/resources.ts';
import type { Row } from '../config-store.ts';
import { FormerKeys } from './former-keys.ts';

/** What must be unique in the whole store beside names: write keys of sources (D-10) and hashes of tokens. */
export function keysOf(resource: Resources[Kind]): readonly string[] {
  if ('write_keys' in resource) return resource.write_keys;
  return 'hash' in resource ? [resource.hash] : [];
}

/** The kinds that have any. */
const KEYED: ReadonlySet<Kind> = new Set(['sources', 'access-tokens']);

/** Those of a row, which is looked at only where its kind has any. */
export function keysOfRow(kind: Kind, row: Row<Resources[Kind]>): readonly string[] {
  return KEYED.has(kind) ? keysOf(row.resource) : [];
}

/**
 * Who owns which key, over all files. A key is claimed before the write that brings it and freed after the write that
 * removes it, so two changes of different files can never both have it.
 */
export class UniqueKeys {
  readonly #owners = new Map<string, string>();
  readonly former = new FormerKeys();

  /** The name of the resource that has the key, or is about to. */
  owner(key: string): string | undefined {
    return this.#owners.get(key);
  }

  /** Of what is durable already. */
  put(keys: readonly string[], owner: string): void {
    for (const key of keys) this.#owners.set(key, owner);
  }

  /** All or none; false when somebody else has one of them. */
  claim(keys: readonly string[], owner: string): boolean {
    if (keys.some((key) => this.#owners.has(key))) return false;
    this.put(keys, owner);
    return true;
  }

  /** Those of one owner, or whoever has them. */
  free(keys: Iterable<string>, owner?: string): void {
    for (const key of keys) if (owner === undefined || this.#owners.get(key) === owner) this.#owners.delete(key);
  }
}
