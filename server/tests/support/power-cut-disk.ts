import type { Content as DiskContent, Disk } from '../../storage/file/resources/disk.ts';
import { textOf } from './config-disk.ts';

interface Content {
  text: string;
  /** So much of it outlasts a power cut. */
  synced: number;
}

/** A change of the folder that no sync has made lasting yet. Any of them may be what a power cut leaves. */
type Change =
  | { readonly kind: 'create'; readonly name: string; readonly content: Content }
  | { readonly kind: 'rename'; readonly from: string; readonly to: string; readonly content: Content }
  | { readonly kind: 'remove'; readonly name: string };

/** What a power cut leaves: which of the changes that were not synced, and how many characters of what was not, in each file. */
export interface Leftover {
  readonly isLeft: (change: number) => boolean;
  readonly characters: number;
}

export interface PowerCutOptions {
  /** The power goes before this step of a `replace`, counted over all of them from 0; absent: never. */
  readonly cutBefore?: number;
  /** Which of the two syncs that run at one time ends first. */
  readonly first: 'file' | 'folder';
  /** What a flawed disk leaves out. */
  readonly skips?: 'file' | 'folder' | 'append';
  /** What lasts on it already. */
  readonly found?: ReadonlyMap<string, string>;
}

/**
 * A disk in memory that knows what of it would outlast a power cut, as strictly as POSIX lets it be: names that no sync of
 * their folder has followed may each be there or not, in any combination, and content that was not synced may be torn.
 */
export class PowerCutDisk implements Disk {
  readonly #options: PowerCutOptions;
  readonly #names = new Map<string, Content>();
  #lasting = new Map<string, Content>();
  #changes: Change[] = [];
  #steps = 0;
  #isCut = false;
  /** Makes the next replace fail once its draft is synced; its removal then is one more change that may not last. */
  failsNext = false;

  constructor(options: PowerCutOptions) {
    this.#options = options;
    for (const [name, text] of options.found ?? []) this.#names.set(name, { text, synced: text.length });
    this.#syncFolder();
  }

  get isCut(): boolean {
    return this.#isCut;
  }

  /** How many changes a power cut now may leave or not. */
  get changes(): number {
    return this.#changes.length;
  }

  /** The files that a power cut leaves. */
  after({ isLeft, characters }: Leftover): Map<string, string> {
    const names = new Map(this.#lasting);
    for (const [index, change] of this.#changes.entries()) if (isLeft(index)) apply(change, names);
    const leftOf = ({ text, synced }: Content): string => text.slice(0, synced + characters);
    return new Map(Array.from(names, ([name, content]) => [name, leftOf(content)]));
  }

  async names(folder: string): Promise<readonly string[]> {
    return Array.from(this.#names.keys(), (name) => name.slice(folder.length + 1));
  }

  async read(file: string): Promise<string | undefined> {
    return this.#names.get(file)?.text;
  }

  async replace(file: string, given: DiskContent, draft: string): Promise<void> {
    const text = textOf(given);
    const content: Content = { text: '', synced: 0 };
    this.#step(() => this.#change({ kind: 'create', name: draft, content }));
    this.#step(() => void (content.text = text));
    const syncs = { file: () => void (content.synced = text.length), folder: () => this.#syncFolder() };
    const { first, skips } = this.#options;
    for (const what of [first, first === 'file' ? 'folder' : 'file'] as const) {
      if (what !== skips) this.#step(syncs[what]);
    }
    if (this.failsNext) {
      this.failsNext = false;
      this.#change({ kind: 'remove', name: draft });
      throw new Error('EIO: i/o error');
    }
    this.#step(() => this.#change({ kind: 'rename', from: draft, to: file, content }));
  }

  async append(file: string, text: string): Promise<void> {
    const content = this.#names.get(file);
    if (content === undefined) throw new Error(`ENOENT: ${file}`);
    this.#step(() => void (content.text += text));
    if (this.#options.skips !== 'append') this.#step(() => void (content.synced = content.text.length));
  }

  async rename(draft: string, file: string): Promise<void> {
    const content = this.#names.get(draft);
    if (content !== undefined) this.#change({ kind: 'rename', from: draft, to: file, content });
    this.#syncFolder();
  }

  async remove(files: readonly string[]): Promise<void> {
    if (files.length === 0) return;
    for (const name of files) this.#change({ kind: 'remove', name });
    this.#syncFolder();
  }

  #step(does: () => void): void {
    if (this.#steps === this.#options.cutBefore) this.#isCut = true;
    if (this.#isCut) throw new Error('the power is gone');
    this.#steps += 1;
    does();
  }

  #change(change: Change): void {
    apply(change, this.#names);
    this.#changes.push(change);
  }

  #syncFolder(): void {
    this.#lasting = new Map(this.#names);
    this.#changes = [];
  }
}

/** Everything that a power cut may leave now. */
export function* leftoversOf({ changes }: PowerCutDisk): Generator<Leftover> {
  for (let mask = 0; mask < 2 ** changes; mask += 1) {
    for (const characters of [0, 100, Infinity]) {
      yield { isLeft: (change) => (mask & (1 << change)) !== 0, characters };
    }
  }
}

function apply(change: Change, names: Map<string, Content>): void {
  switch (change.kind) {
    case 'create':
      names.set(change.name, change.content);
      return;
    case 'rename':
      names.delete(change.from);
      names.set(change.to, change.content);
      return;
    case 'remove':
      names.delete(change.name);
  }
}
