import { setImmediate } from 'node:timers/promises';
import { type Content, type Disk, createDisk } from '../../storage/file/resources/disk.ts';

/** A disk that can be made to refuse or to wait, over a real one or over memory; it tells what was written. */
export class FaultyDisk implements Disk {
  readonly #inner: Disk;
  /** Files that were replaced, in order. */
  readonly written: string[] = [];
  /** What `replace` and `append` fail with while it is set. */
  refusal: Error | undefined;
  /** The same of single files, by their names. */
  readonly refusals = new Map<string, Error>();
  /** The same once the file was replaced, as on a network. */
  readonly afterwards = new Map<string, Error>();
  /** What `remove` fails with while it is set. */
  removalRefusal: Error | undefined;
  #gate: Promise<Error | undefined> = Promise.resolve(undefined);
  #waiting = 0;

  constructor(inner: Disk = memoryDisk()) {
    this.#inner = inner;
  }

  /** Writes that begin from now on wait until the answer is called, and fail with what it is given. */
  hold(): (failure?: Error) => void {
    const { promise, resolve } = Promise.withResolvers<Error | undefined>();
    this.#gate = promise;
    return (failure) => {
      this.#gate = Promise.resolve(undefined);
      resolve(failure);
    };
  }

  /** Resolves once a write waits: how soon it begins is up to the machine. */
  async asked(): Promise<void> {
    while (this.#waiting === 0) await setImmediate();
  }

  names(folder: string): Promise<readonly string[]> {
    return this.#inner.names(folder);
  }

  read(file: string): Promise<string | undefined> {
    return this.#inner.read(file);
  }

  async replace(file: string, content: Content, draft: string): Promise<void> {
    this.#waiting += 1;
    const held = await this.#gate;
    this.#waiting -= 1;
    const failure = held ?? this.refusal ?? this.refusals.get(nameOf(file));
    if (failure !== undefined) throw failure;
    await this.#inner.replace(file, content, draft);
    const late = this.afterwards.get(nameOf(file));
    if (late !== undefined) throw late;
    this.written.push(file);
  }

  async append(file: string, text: string): Promise<void> {
    const failure = (await this.#gate) ?? this.refusal;
    if (failure !== undefined) throw failure;
    await this.#inner.append(file, text);
  }

  rename(draft: string, file: string): Promise<void> {
    return this.#inner.rename(draft, file);
  }

  async remove(files: readonly string[]): Promise<void> {
    if (this.removalRefusal !== undefined) throw this.removalRefusal;
    await this.#inner.remove(files);
  }
}

/** Files in memory: what is left after the process of a store ended is what was written. */
export function memoryDisk(found: ReadonlyMap<string, string> = new Map()): Disk {
  const files = new Map<string, string | Buffer>(found);
  return {
    names: async (folder) => [...files.keys()].filter((file) => file.startsWith(folder)).map((file) => nameOf(file)),
    read: async (file) => files.get(file)?.toString(),
    replace: async (file, content) => void files.set(file, bytesOf(content)),
    append: async (file, text) => void files.set(file, `${files.get(file)?.toString() ?? ''}${text}`),
    rename: async (draft, file) => {
      files.set(file, files.get(draft) ?? '');
      files.delete(draft);
    },
    remove: async (removed) => {
      for (const file of removed) files.delete(file);
    },
  };
}

export function textOf(content: Content): string {
  return bytesOf(content).toString();
}

/** Most of what is written is written again, and never read. */
function bytesOf(content: Content): string | Buffer {
  return typeof content === 'string' ? content : Buffer.concat([...content]);
}

export function faultyRealDisk(): FaultyDisk {
  return new FaultyDisk(createDisk());
}

function nameOf(file: string): string {
  return file.slice(file.lastIndexOf('/') + 1);
}
