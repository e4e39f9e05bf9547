import { createHash, type Hash } from 'node:crypto';
import { isObject } from '../../model/json-values.ts';
import { BLOCK, paddingOf, readHeader } from './tar.ts';
import { ABOUT_FILE, ARCHIVE_FORMAT, SUMS_FILE } from './write-archive.ts';

/** The archive is not one, or not whole. The message says what is wrong with it, and the way out. */
export class ArchiveUnusable extends Error {
  override readonly name = 'ArchiveUnusable';
}

/** Told of each file but those that the archive has about itself; nothing of it holds until `end` was passed. */
export interface ArchiveSink {
  begin(name: string): void;
  write(chunk: Uint8Array): void;
  finish(): void;
}

/** Of those, the largest is the list of checksums: a line for each workspace. */
const MAX_OWN_BYTES = 64 * 1024 * 1024;
/** What a router keeps in its folder: no other name may reach a disk. */
const KNOWN = /^(config\/(root|[0-9a-f]{10})\.json|[a-z]+\.sqlite)$/;

/** A file that is being read. */
interface Current {
  readonly name: string;
  left: number;
  padding: number;
  readonly hash: Hash;
  /** The content of one that the archive has about itself. */
  readonly own: Buffer[] | undefined;
}

/** Reads an archive as it comes, in pieces of any size, and checks it. Throws ArchiveUnusable. */
export class ArchiveReader {
  readonly #sink: ArchiveSink;
  /** The beginning of a header. */
  #head = Buffer.alloc(0);
  #current: Current | undefined;
  readonly #sums: string[] = [];
  #isWhole = false;

  constructor(sink: ArchiveSink) {
    this.#sink = sink;
  }

  push(chunk: Uint8Array): void {
    for (let rest = chunk; rest.length > 0;) rest = this.#current === undefined ? this.#header(rest) : this.#body(rest);
  }

  /** To be called after the last piece: passes what is whole. */
  end(): void {
    if (!this.#isWhole) throw new ArchiveUnusable('the backup was cut off before its end: make it again');
  }

  #header(chunk: Uint8Array): Uint8Array {
    const missing = BLOCK - this.#head.length;
    this.#head = Buffer.concat([this.#head, chunk.subarray(0, missing)]);
    if (this.#head.length === BLOCK) {
      this.#begin(this.#head);
      this.#head = Buffer.alloc(0);
    }
    return chunk.subarray(missing);
  }

  #begin(header: Buffer): void {
    const entry = entryIn(header);
    if (entry === undefined) return;
    const { name, bytes } = entry;
    const isFirst = this.#sums.length === 0;
    if (isFirst !== (name === ABOUT_FILE) || this.#isWhole) throw notABackup();
    const isOwn = isFirst || name === SUMS_FILE;
    if (isOwn ? bytes > MAX_OWN_BYTES : !KNOWN.test(name)) throw notABackup();
    const own = isOwn ? [] : undefined;
    this.#current = { name, left: bytes, padding: paddingOf(bytes).length, hash: createHash('sha256'), own };
    if (!isOwn) this.#sink.begin(name);
    if (bytes === 0) this.#finish(this.#current);
  }

  #body(chunk: Uint8Array): Uint8Array {
    const current = this.#current;
    if (current === undefined) return chunk;
    const part = chunk.subarray(0, current.left);
    if (part.length > 0) {
      current.left -= part.length;
      current.hash.update(part);
      if (current.own === undefined) this.#sink.write(part);
      else current.own.push(Buffer.from(part));
      if (current.left === 0) this.#finish(current);
    }
    const skipped = Math.min(current.padding, chunk.length - part.length);
    current.padding -= current.left === 0 ? skipped : 0;
    if (current.left === 0 && current.padding === 0) this.#current = undefined;
    return chunk.subarray(part.length + skipped);
  }

  #finish({ name, hash, own }: Current): void {
    if (own === undefined) this.#sink.finish();
    const content = Buffer.concat(own ?? []).toString('utf8');
    if (name === SUMS_FILE) this.#compare(content);
    else if (own !== undefined) requireReadable(content);
    this.#sums.push(`${hash.digest('hex')}  ${name}\n`);
  }

  #compare(sums: string): void {
    if (sums !== this.#sums.join('')) throw new ArchiveUnusable('the backup is damaged: its checksums differ');
    this.#isWhole = true;
  }
}

function entryIn(header: Buffer): ReturnType<typeof readHeader> {
  try {
    return readHeader(header);
  } catch (cause) {
    throw notABackup(cause);
  }
}

function requireReadable(about: string): void {
  const { waybill, format, version } = parsed(about);
  if (waybill !== 'backup') throw notABackup();
  if (format === ARCHIVE_FORMAT) return;
  const found = `the backup has format ${String(format)}, of Waybill ${String(version)}, and this Waybill reads ${ARCHIVE_FORMAT}`;
  throw new ArchiveUnusable(`${found}: restore it with that version`);
}

function parsed(text: string): Readonly<Record<string, unknown>> {
  try {
    const found: unknown = JSON.parse(text);
    if (isObject(found)) return found;
  } catch (cause) {
    throw notABackup(cause);
  }
  throw notABackup();
}

function notABackup(cause?: unknown): ArchiveUnusable {
  return new ArchiveUnusable('it is no backup of "waybill backup", or is damaged', { cause });
}
