import { randomUUID } from 'node:crypto';
import { PacedLines } from '../../../fairness/paced-lines.ts';
import type { PacedWork } from '../../../fairness/paced-work.ts';
import { Semaphore } from '../../../fairness/semaphore.ts';
import { isOver } from '../../../model/regulation.ts';
import type { AccessToken, Kind, Resources } from '../../../model/resources.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { Log } from '../../../ports/log.ts';
import {
  type Change,
  type Commit,
  type ConfigStore,
  type Entry,
  type Page,
  StoreUnavailable,
} from '../../config-store.ts';
import { OutcomeUnknown } from '../../errors.ts';
import { type Keyring, NO_KEYS } from '../../secrets/keyring.ts';
import { sealedText } from '../../secrets/sealed-rows.ts';
import type { Draft } from '../../resources/draft.ts';
import { changesOf } from '../../resources/replica.ts';
import type { Database, Queries } from '../connection/database.ts';
import { ChangeFeed } from './change-feed.ts';
import { SHUT_OUT_OLDER } from './resealing.ts';
import { FIND_COMMIT, FORGET, headOf, LOCK_HEAD, WRITE_COMMIT } from './statements.ts';
import { Hearing } from './hearing.ts';

export interface PostgresConfigStoreOptions {
  readonly database: Database;
  readonly clock: Pick<Clock, 'sleep'>;
  readonly log: Log;
  /** Without one, secrets are stored in clear. */
  readonly keyring?: Keyring;
}

interface Making<T> {
  readonly home: string;
  readonly key: string;
  readonly apply: (draft: Draft) => T;
  readonly pace: PacedWork;
}

/** What a change came to. */
interface Made<T> {
  readonly answer: T;
  /** Undefined where nothing had to be written. */
  readonly commit?: Commit;
}

/** Opens the resources of a database, whose tables are there. Resolves once all of them are known. */
export async function openPostgresConfigStore(options: PostgresConfigStoreOptions): Promise<PostgresConfigStore> {
  const { database, keyring = NO_KEYS } = options;
  if (keyring.current !== undefined) await database.run(SHUT_OUT_OLDER);
  const feed = new ChangeFeed(database, keyring);
  await feed.open();
  return new PostgresConfigStore({ database, keyring }, feed, new Hearing(feed, options));
}

/**
 * Each router has all resources in memory, and asks the database for what came since before it reads or changes them. A
 * change has the lock of the one head: no other router changes anything from the last look at what stands until the commit.
 */
class PostgresConfigStore implements ConfigStore {
  readonly #database: Database;
  readonly #keyring: Keyring;
  readonly #feed: ChangeFeed;
  readonly #hearing: Hearing;
  readonly create: ConfigStore['create'];
  readonly update: ConfigStore['update'];
  readonly remove: ConfigStore['remove'];
  /** One change at a time, as the lock lets no more. */
  readonly #turns = new Semaphore(1);
  /** Of each workspace one waits for that, after a rest for what the one before took of the event loop. */
  readonly #lines = new PacedLines();
  #isClosed = false;

  constructor(
    { database, keyring }: Required<Pick<PostgresConfigStoreOptions, 'database' | 'keyring'>>,
    feed: ChangeFeed,
    hearing: Hearing,
  ) {
    [this.#database, this.#keyring, this.#feed, this.#hearing] = [database, keyring, feed, hearing];
    const change = <T>(home: string, apply: (draft: Draft) => T): Promise<T> =>
      this.#inTurn(home, (pace) => this.#change(home, apply, pace));
    ({ create: this.create, update: this.update, remove: this.remove } = changesOf(feed.replica, change));
  }

  async get<K extends Kind>(kind: K, name: string): Promise<Resources[K] | undefined> {
    await this.refresh();
    return this.#feed.replica.reads.get(kind, name);
  }

  async list<K extends Kind>(kind: K, parent: string, page: Page): Promise<readonly Entry<Resources[K]>[]> {
    await this.refresh();
    return this.#feed.replica.reads.list(kind, parent, page);
  }

  async tokenByHash(hash: string): Promise<AccessToken | undefined> {
    await this.refresh();
    return this.#feed.replica.reads.tokenByHash(hash);
  }

  async watch<K extends Kind = Kind>(listener: (commit: Commit<K>) => void, kinds?: readonly K[]): Promise<() => void> {
    return this.#feed.watch(listener, kinds);
  }

  refresh(): Promise<void> {
    return this.#feed.refresh();
  }

  /** The database stays open: it is not this store's alone. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([this.#lines.end(), this.#hearing.stop()]);
  }

  #inTurn<T>(home: string, work: (pace: PacedWork) => Promise<T>): Promise<T> {
    if (this.#isClosed) return Promise.reject(new StoreUnavailable('the config store is closed'));
    return this.#lines.run((pace) => this.#turns.run(() => work(pace)), home);
  }

  async #change<T>(home: string, apply: (draft: Draft) => T, pace: PacedWork): Promise<T> {
    const key = randomUUID();
    let made: Made<T> | undefined;
    try {
      await this.#database.transaction(async (queries) => {
        made = await this.#make(queries, { home, key, apply, pace });
      });
    } catch (error) {
      if (!(error instanceof OutcomeUnknown && made?.commit)) throw error;
      await this.#settle(error, made.commit, key);
    }
    if (made === undefined) throw new Error('a transaction ended without its work');
    const { answer, commit } = made;
    if (commit !== undefined) pace.once(() => this.#feed.tell(commit));
    return answer;
  }

  async #make<T>(queries: Queries, { home, key, apply, pace }: Making<T>): Promise<Made<T>> {
    const head = await headOf(queries, LOCK_HEAD);
    // On another connection: what it reads is kept, also where this transaction comes to nothing.
    await this.#feed.refresh();
    const draft = this.#feed.replica.draft(home, head.sequence);
    const answer = pace.once(() => applied(draft, apply));
    if (draft.changes.size === 0) return { answer };
    const commit = { workspace: home, version: head.version + 1, changes: [...draft.changes.values()] };
    const { sequence } = draft.state;
    const columns = pace.once(() => columnsOf(commit, { key, sequence, keyring: this.#keyring }));
    await queries.run(WRITE_COMMIT, columns);
    await forget(queries, commit);
    return { answer, commit };
  }

  /**
   * The answer to a commit was lost. Whoever has its lock now comes after it, and sees whether it took place. Passes when it
   * did; where that cannot be asked either, nobody knows.
   */
  async #settle(lost: OutcomeUnknown, { version }: Commit, key: string): Promise<void> {
    const found = await this.#database
      .transaction(async (queries) => {
        await headOf(queries, LOCK_HEAD);
        return (await queries.run(FIND_COMMIT, [version, key])).length > 0;
      })
      .catch(() => Promise.reject(lost));
    if (!found) throw new StoreUnavailable(`nothing was changed: ${lost.message}`, { cause: lost });
    await this.refresh();
  }
}

/** The replica changes with the commit, and not before. */
function applied<T>(draft: Draft, apply: (draft: Draft) => T): T {
  try {
    return apply(draft);
  } finally {
    draft.dropped();
  }
}

/** Who deletes users is answered that nothing names them any more: the changes that are kept do so neither (AUD-9). */
async function forget(queries: Queries, { version, changes }: Commit): Promise<void> {
  const over = changes.filter(({ kind, row }) => kind === 'regulations' && (row === undefined || isOver(row.resource)));
  const workspaces = goneWorkspaces(changes);
  if (over.length + workspaces.length === 0) return;
  await queries.run(FORGET, [version, over.map(({ name }) => name), workspaces]);
}

function goneWorkspaces(changes: readonly Change[]): string[] {
  return changes.flatMap(({ kind, name, row }) => (kind === 'workspaces' && row === undefined ? [name] : []));
}

interface Writing {
  readonly key: string;
  readonly sequence: number;
  readonly keyring: Keyring;
}

/** The values of WRITE_COMMIT. */
export function columnsOf({ workspace, version, changes }: Commit, { key, sequence, keyring }: Writing): unknown[] {
  const gone = changes.filter(({ row }) => row === undefined);
  return [
    version,
    sequence,
    workspace,
    key,
    gone.map(({ name }) => name),
    goneWorkspaces(changes),
    changes.map(({ kind }) => kind),
    changes.map(({ name }) => name),
    changes.map(({ row }) => row?.sequence ?? null),
    changes.map(({ kind, row }) => (row === undefined ? null : sealedText(keyring, kind, row.resource))),
  ];
}
