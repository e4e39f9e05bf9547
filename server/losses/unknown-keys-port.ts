/** Events that came with a write key of no source, by the beginning of the key. */
export interface UnknownKey {
  readonly prefix: string;
  readonly events: number;
  /** In milliseconds since the epoch. */
  readonly firstAt: number;
  readonly lastAt: number;
}

/** Counts what was answered as accepted although its key is unknown (D-41). */
export interface UnknownKeys {
  /** `key` as it was sent: no more than its beginning is kept. */
  add(key: string, events: number): void;
  /** The last seen first; no more than are kept. */
  list(): readonly UnknownKey[];
  /** Events of all unknown keys. */
  total(): number;
}
