import type { Kind } from '../../../model/resources.ts';
import type { Commit } from '../../config-store.ts';
import { Replica } from '../../resources/replica.ts';
import { Watchers } from '../../resources/watchers.ts';
import type { Keyring } from '../../secrets/keyring.ts';
import type { Database } from '../connection/database.ts';
import { load } from './load.ts';
import { type ChangeRow, READ_CHANGES } from './statements.ts';
import { changeOf } from './row-changes.ts';

/** So many commits are read at once: of the largest resources, 20 MB. A hundred of those took longer than a statement may, again and again. */
const COMMITS = 5;

/**
 * All resources in memory, and whoever wants to hear what becomes of them. Commits are told in their order, each once: one
 * that was read twice, or that this router made itself, is known by its version.
 */
export class ChangeFeed {
  readonly replica = new Replica();
  readonly #database: Pick<Database, 'run' | 'timeline'>;
  readonly #keyring: Keyring;
  readonly #watchers = new Watchers();
  /** The version of the last commit that was told. */
  #version = 0;
  /** Of the server that everything was read from last. */
  #timeline = 0;
  #reading: Promise<void> = Promise.resolve();
  /** Serves all who ask from now until it begins. */
  #next: Promise<void> | undefined;

  constructor(database: Pick<Database, 'run' | 'timeline'>, keyring: Keyring) {
    [this.#database, this.#keyring] = [database, keyring];
  }

  /** Reads all that stands; to be awaited before anything else. */
  async open(): Promise<void> {
    await this.#reload();
    await this.refresh();
  }

  get version(): number {
    return this.#version;
  }

  watch<K extends Kind = Kind>(listener: (commit: Commit<K>) => void, kinds?: readonly K[]): () => void {
    const { reads, versions } = this.replica;
    return this.#watchers.add(listener, kinds, reads.standing(versions.of, kinds));
  }

  /** Resolves once all is told that was committed before the call. One query is under way at most, for all who ask. */
  refresh(): Promise<void> {
    this.#next ??= this.#reading.then(() => {
      this.#next = undefined;
      const reading = this.#catchUp();
      this.#reading = reading.catch(() => undefined);
      return reading;
    });
    return this.#next;
  }

  async #catchUp(): Promise<void> {
    for (;;) {
      const after = this.#version;
      const rows = await this.#database.run<ChangeRow>(READ_CHANGES, [after, COMMITS]);
      const head = rows[0]?.head ?? 0;
      const commits = commitsOf(rows, this.#keyring);
      const [first] = commits;
      // Changes are kept for some time only; a database that was restored may have gone back, and a server that was promoted have
      // other changes of the same versions.
      const isCut =
        this.#database.timeline() !== this.#timeline || head < after || (head > after && first?.version !== after + 1);
      if (isCut) await this.#reload();
      else for (const commit of commits) this.tell(commit);
      if (!isCut && (commits.at(-1)?.version ?? after) === head) return;
    }
  }

  /** A commit that follows the last one told; one that is known already is not told again. */
  tell(commit: Commit): void {
    if (commit.version <= this.#version) return;
    this.#version = commit.version;
    this.#apply(commit);
  }

  async #reload(): Promise<void> {
    const timeline = this.#database.timeline();
    const { head, commits } = await load(this.#database, this.replica, this.#keyring);
    [this.#version, this.#timeline] = [head.version, timeline];
    for (const commit of commits) this.#apply(commit);
  }

  #apply(commit: Commit): void {
    this.replica.apply(commit);
    this.#watchers.tell(commit);
  }
}

function commitsOf(rows: readonly ChangeRow[], keyring: Keyring): Commit[] {
  // Where nothing is new there is one row, of the head alone.
  const changed = rows.filter(({ version }) => version !== null);
  return [...Map.groupBy(changed, ({ version }) => version)].map(([version, own]) => ({
    workspace: own[0]?.home ?? '',
    version,
    changes: own.flatMap((row) => changeOf(row, keyring) ?? []),
  }));
}
