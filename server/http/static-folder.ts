import { readdir, readFile, stat } from 'node:fs/promises';
import { extname, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Clock } from '../ports/clock.ts';
import { createStaticFile, readOnce, type StaticFile } from './static-file.ts';

/** However many ask, and for whatever, the folder is looked at this often at most (SAFE-1). */
const BETWEEN_LOOKS_MS = 1_000;

export interface FolderParts {
  readonly folder: URL;
  /** Media types by the ending of a name; files of others are not served. */
  readonly types: Readonly<Record<string, string>>;
  readonly clock: Pick<Clock, 'steady'>;
}

/** What is served of a folder, by the path below it. Empty where there is no folder. */
export type FolderFiles = ReadonlyMap<string, () => Promise<StaticFile>>;

interface KnownFile {
  /** Another one where the file was written since, or is another of its name. */
  readonly stamp: string;
  readonly read: () => Promise<StaticFile>;
}

type KnownFiles = ReadonlyMap<string, KnownFile>;

/**
 * The files of a folder that may be written anew while they are served. Each is read and compressed once, and again only
 * after it has changed: what somebody asks for, in whatever order, makes nothing be read again (SAFE-1).
 */
export function createStaticFolder(parts: FolderParts): () => Promise<FolderFiles> {
  const { clock } = parts;
  let known: KnownFiles = new Map();
  let lookedAt = -Infinity;
  /** What the last look found, or will have found. */
  let files: Promise<FolderFiles> = Promise.resolve(new Map());
  /** True until the disk has answered, however long that takes: never two looks at once. */
  let isLooking = false;

  const look = async (): Promise<FolderFiles> => {
    isLooking = true;
    known = await lookInto(parts, known).finally(() => (isLooking = false));
    return new Map([...known].map(([path, { read }]) => [path, read]));
  };
  return () => {
    const now = clock.steady();
    if (!isLooking && now - lookedAt >= BETWEEN_LOOKS_MS) {
      lookedAt = now;
      files = look();
    }
    return files;
  };
}

async function lookInto(parts: FolderParts, known: KnownFiles): Promise<KnownFiles> {
  const root = fileURLToPath(parts.folder);
  try {
    const entries = await readdir(root, { recursive: true });
    const paths = entries.filter((entry) => extname(entry) in parts.types).map((entry) => entry.replaceAll(sep, '/'));
    const files = await Promise.all(paths.map((path) => lookAt(parts, path, known.get(path))));
    return new Map(files.flatMap((file, index) => (file === undefined ? [] : [[paths[index] ?? '', file]])));
  } catch (error) {
    // A process with too many open files cannot look either: what it knows is no worse for that.
    return isMissing(error) ? new Map() : known;
  }
}

async function lookAt(
  { folder, types }: FolderParts,
  path: string,
  known: KnownFile | undefined,
): Promise<KnownFile | undefined> {
  const address = new URL(encodeURI(path), folder);
  try {
    const found = await stat(address, { bigint: true });
    if (!found.isFile()) return undefined;
    // When it was changed, not when it was written: files of a package say of every version that it was written then.
    const stamp = `${found.ino} ${found.size} ${found.ctimeNs}`;
    if (known?.stamp === stamp) return known;
    return { stamp, read: readOnce(async () => createStaticFile(types[extname(path)] ?? '', await readFile(address))) };
  } catch (error) {
    return isMissing(error) ? undefined : known;
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
}
