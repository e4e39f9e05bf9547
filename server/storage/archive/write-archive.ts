import { createHash } from 'node:crypto';
import type { Snapshot, SnapshotFile } from '../snapshot.ts';
import { BLOCK, headerOf, paddingOf } from './tar.ts';

/** The first file tells what the archive is, and the last one whether it is whole: `sha256sum -c` reads it too. */
export const ABOUT_FILE = 'waybill-backup.json';
export const SUMS_FILE = 'SHA256SUMS';
/** Counted up when an archive can no longer be restored by earlier versions. */
export const ARCHIVE_FORMAT = 1;

export interface ArchiveOptions {
  /** Of the router that makes it. */
  readonly version: string;
  readonly now: number;
}

/** The bytes of an archive of all files. Whoever reads it releases the snapshot. */
export async function* archiveOf(
  { files }: Pick<Snapshot, 'files'>,
  { version, now }: ArchiveOptions,
): AsyncGenerator<Uint8Array> {
  const seconds = now / 1_000;
  const about = { waybill: 'backup', format: ARCHIVE_FORMAT, version, time: new Date(now).toISOString() };
  const sums: string[] = [];
  for (const file of [textFile(ABOUT_FILE, `${JSON.stringify(about)}\n`), ...files]) {
    const [{ name }, { bytes, chunks }, hash] = [file, file.open(), createHash('sha256')];
    yield headerOf({ name, bytes }, seconds);
    for await (const chunk of chunks) {
      hash.update(chunk);
      yield chunk;
    }
    yield paddingOf(bytes);
    sums.push(`${hash.digest('hex')}  ${name}\n`);
  }
  const last = Buffer.from(sums.join(''));
  yield Buffer.concat([headerOf({ name: SUMS_FILE, bytes: last.length }, seconds), last, paddingOf(last.length)]);
  yield Buffer.alloc(2 * BLOCK);
}

function textFile(name: string, text: string): SnapshotFile {
  const content = Buffer.from(text);
  return { name, open: () => ({ bytes: content.length, chunks: [content] }) };
}
