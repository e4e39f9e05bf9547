/** A file of a snapshot. Its bytes are made when it is opened, so that a snapshot of many files takes little memory. */
export interface SnapshotFile {
  /** Below the data folder, with slashes. */
  readonly name: string;
  open(): OpenedFile;
}

export interface OpenedFile {
  readonly bytes: number;
  readonly chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
}

export function openedText(text: string): OpenedFile {
  const bytes = Buffer.from(text);
  return { bytes: bytes.length, chunks: [bytes] };
}

/** All that a storage kept at one moment. It stays so while the storage goes on, until it is released. */
export interface Snapshot {
  readonly files: readonly SnapshotFile[];
  /** Aborted once it has ended, with the reason: the storage may give it up before it is released. */
  readonly signal: AbortSignal;
  /** May be called more than once, and at any time: what is still read then fails. */
  release(): Promise<void>;
}

/** One is being read: a storage has one at a time. */
export class SnapshotUnderWay extends Error {
  override readonly name = 'SnapshotUnderWay';
}
