import { dirname } from 'node:path';
import { Low } from 'lowdb';
import { PacedWork, type PaceTime } from '../../../fairness/paced-work.ts';
import { Semaphore } from '../../../fairness/semaphore.ts';
import { type Change, StoreUnavailable } from '../../config-store.ts';
import { Draft } from '../../resources/draft.ts';
import type { UniqueKeys } from '../../resources/unique-keys.ts';
import { ShardFile, type ShardFileOptions } from './shard-file.ts';
import { wordsOfDisk } from '../full-disk.ts';
import { emptyState, type State } from '../../resources/tables.ts';

export interface ShardOptions extends ShardFileOptions {
  readonly keys: UniqueKeys;
  /** Told of each write once it is on disk, before any of its changes is answered. */
  readonly onCommit: (changes: readonly Change[]) => void;
  /** Where something has to be done before a write. */
  readonly around?: (changes: readonly Change[], write: () => Promise<void>) => Promise<void>;
  readonly time?: PaceTime;
}

interface Job {
  /** Applies the change; answers how to tell its caller, once the write that holds it is done. */
  readonly apply: (draft: Draft) => () => void;
  readonly reject: (reason: unknown) => void;
}

/** One file, what it holds in memory, and the line of those who want to change it. */
export class Shard {
  readonly #options: ShardOptions;
  readonly #pace: PacedWork;
  readonly #file: ShardFile;
  readonly #low: Low<State>;
  /** What is on disk; replaced only after a write. Reads see this and nothing else (D-13). */
  #state: State = emptyState();
  /** Undefined once the workspace was removed: then nothing can be created here. */
  #home: string | undefined;
  /** Those who wait for the next write. A turn is on its way whenever there are any. */
  #waiting: Job[] = [];
  readonly #turns = new Semaphore(1);

  constructor(options: ShardOptions) {
    this.#options = options;
    this.#home = options.home;
    this.#pace = new PacedWork(options.time);
    this.#file = new ShardFile({ ...options, pace: this.#pace });
    this.#low = new Low(this.#file, this.#state);
  }

  /** Reads the file; false when there is none. */
  async load(): Promise<boolean> {
    await this.#low.read();
    const found = this.#low.data !== this.#state;
    this.#state = this.#low.data;
    return found;
  }

  /** Clears what a crash left beside the file; to be called once, before the first change. */
  async settle(): Promise<void> {
    await this.#file.settle();
  }

  get state(): State {
    return this.#state;
  }

  /** Rows of the file that are not encrypted as they would be written now. */
  get outdated(): number {
    return this.#home === undefined ? 0 : this.#file.outdated;
  }

  /** Of the root: each workspace has a file. */
  get isComplete(): boolean {
    return this.#file.isComplete;
  }

  /** To be called once that is so; writes it down. */
  async complete(): Promise<void> {
    this.#file.complete();
    await this.writeNow();
  }

  /** Entries of the audit that were gone when the file was read. */
  get lostEntries(): number {
    return this.#file.lostEntries;
  }

  /** How to make the text of the file as it stands now, whatever changes until it is made. */
  capture(): () => string {
    const state = this.#state;
    return () => this.#file.contentOf(state);
  }

  /** Full name of the workspace that the file belongs to; empty for the root's. */
  get home(): string {
    return this.#options.home;
  }

  get file(): string {
    return this.#options.file;
  }

  /** Resolves with what `apply` answers once it is on disk. When `apply` throws, nothing of it holds. */
  change<T>(apply: (draft: Draft) => T): Promise<T> {
    return new Promise((resolve, reject) => {
      const decide = (draft: Draft): (() => void) => {
        try {
          const answer = apply(draft);
          return () => resolve(answer);
        } catch (error) {
          return () => reject(error);
        }
      };
      this.#waiting.push({ apply: decide, reject });
      if (this.#waiting.length === 1) void this.inTurn(() => this.#writeWaiting());
    });
  }

  /** Runs the task while nothing here is being written; changes that come meanwhile wait. */
  inTurn<T>(task: () => Promise<T>): Promise<T> {
    return this.#turns.run(task);
  }

  /** Writes a state without a change, so that a folder that cannot be written shows at once. */
  async writeNow(): Promise<void> {
    await this.#low.write();
  }

  /** As `writeNow`, between changes; not where the workspace was removed meanwhile. */
  rewrite(): Promise<void> {
    return this.inTurn(async () => {
      if (this.#home !== undefined) await this.#low.write();
    });
  }

  /** To be called in a turn, once the workspace is gone from the root file. */
  retire(): void {
    this.#state = emptyState();
    this.#home = undefined;
  }

  /** The file of a removed workspace is gone; to be called in a turn. The next write leaves its id out. */
  forget(id: string): void {
    this.#state = { ...this.#state, removed: this.#state.removed.filter((other) => other !== id) };
  }

  /** Done with all who wait, without any rest. */
  async idle(): Promise<void> {
    this.#pace.hurry();
    await this.#turns.idle();
  }

  async #writeWaiting(): Promise<void> {
    await this.#pace.rest();
    const jobs = this.#waiting.splice(0);
    const draft = new Draft({ state: this.#state, home: this.#home, keys: this.#options.keys });
    const answers = await this.#pace.each(jobs, (job) => job.apply(draft));
    try {
      if (draft.changes.size > 0) await this.#publish(draft);
    } catch (error) {
      // Even a refusal was decided by looking at changes that now never were.
      for (const job of jobs) job.reject(error);
      return;
    }
    for (const answer of answers) answer();
  }

  async #publish(draft: Draft): Promise<void> {
    const { around = (_changes, proceed) => proceed() } = this.#options;
    const write = (): Promise<void> => {
      this.#low.data = draft.state;
      return this.#low.write();
    };
    try {
      await around([...draft.changes.values()], write);
    } catch (error) {
      this.#low.data = this.#state;
      draft.dropped();
      throw new StoreUnavailable(`cannot write ${this.file}: ${wordsOfDisk(error, { folder: dirname(this.file) })}`, {
        cause: error,
      });
    }
    this.#state = this.#low.data;
    draft.published();
    this.#pace.once(() => this.#options.onCommit([...draft.changes.values()]));
  }
}
