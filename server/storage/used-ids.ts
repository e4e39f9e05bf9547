import { createHash } from 'node:crypto';

/** Something that may be used once. */
export interface Use {
  /** Whose it is; ids of different owners have nothing to do with each other. */
  readonly owner: string;
  readonly id: string;
  /** By the wall of who asks. A storage that routers share goes by its own clock: theirs differ. */
  readonly now: number;
  /** So long it is remembered, in whole milliseconds; then it is refused for other reasons. */
  readonly forMs: number;
  /** So many are remembered of one owner. */
  readonly limit: number;
}

/** As text an id may be long: this is what is kept of it. */
export function digestOf({ id }: Pick<Use, 'id'>): Buffer {
  return createHash('sha256').update(id).digest();
}

/** What may be used once, over restarts and routers. */
export interface UsedIds {
  /** Nobody may use it after the first. */
  useOnce(use: Use): Promise<'first' | 'again' | 'full'>;
}
