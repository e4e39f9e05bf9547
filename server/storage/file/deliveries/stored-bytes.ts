import type { DatabaseSync } from 'node:sqlite';
import { workspaceOf } from '../../../model/resource-names.ts';
import type { Witness } from './calls.ts';
import type { Names } from './names.ts';
import { query } from './query.ts';
import { ADD_COUNT } from './tally.ts';

const HOUR = 3_600_000;
/** What they are called among the counts of an hour, where they stand under the name of the workspace. */
const WHAT = 'stored_bytes';
/** So much of what was stored last is not known after a crash. */
const WRITE_MS = 10_000;
/** What a delivery takes beside its event, and an attempt beside its texts. */
const DELIVERY_BYTES = 400;
const ATTEMPT_BYTES = 200;

interface Share {
  readonly workspace: string;
  readonly hour: number;
  bytes: number;
}

/** By workspace and hour. */
type Shares = Map<string, Map<number, number>>;

/**
 * About how many bytes of the file each workspace has, in events, deliveries and what receivers answered: counted by the hour in which
 * they came, and forgotten with the rows of that hour.
 */
export class StoredBytes implements Witness {
  readonly #database: DatabaseSync;
  readonly #names: Names;
  readonly #now: () => number;
  readonly #all: Shares = new Map();
  #unwritten: Shares = new Map();
  #writtenAt: number;
  #isWriting = false;
  /** Of the present transaction. */
  #adding: Share[] = [];

  /** `now` is in milliseconds. */
  constructor(database: DatabaseSync, names: Names, now: () => number = () => performance.now()) {
    [this.#database, this.#names, this.#now, this.#writtenAt] = [database, names, now, now()];
    for (const share of written(database)) addTo(this.#all, share);
  }

  /** Of a source, or of what tells; `at` is by the wall. */
  addEvents(of: string, at: number, { characters, deliveries }: EventsSize): void {
    if (deliveries > 0) this.#add(of, at, characters + deliveries * DELIVERY_BYTES);
  }

  addAttempt(destination: string, at: number, excerpt: string): void {
    this.#add(destination, at, excerpt.length + ATTEMPT_BYTES);
  }

  /** Of the workspace in which this name is. */
  of(name: string): number {
    return [...(this.#all.get(workspaceOf(name))?.values() ?? [])].reduce((sum, bytes) => sum + bytes, 0);
  }

  /** Rows of hours before this moment are not kept any longer. */
  forget(before: number): void {
    for (const hours of this.#all.values()) {
      for (const hour of hours.keys()) if (hour < before) hours.delete(hour);
    }
  }

  committing(): void {
    if (this.#unwritten.size === 0 || this.#now() - this.#writtenAt < WRITE_MS) return;
    const add = this.#database.prepare(ADD_COUNT);
    for (const [workspace, hours] of this.#unwritten) {
      for (const [hour, bytes] of hours) add.run(hour, this.#names.idOf(workspace), WHAT, bytes);
    }
    this.#isWriting = true;
  }

  committed(): void {
    if (this.#isWriting) [this.#unwritten, this.#writtenAt] = [new Map(), this.#now()];
    for (const share of this.#adding) {
      addTo(this.#all, share);
      addTo(this.#unwritten, share);
    }
    this.rolledBack();
  }

  rolledBack(): void {
    [this.#adding, this.#isWriting] = [[], false];
  }

  /** What comes together is mostly of one workspace and hour. */
  #add(name: string, at: number, bytes: number): void {
    const share = { workspace: workspaceOf(name), hour: at - (at % HOUR), bytes };
    const last = this.#adding.at(-1);
    if (last?.workspace === share.workspace && last.hour === share.hour) last.bytes += bytes;
    else this.#adding.push(share);
  }
}

export interface EventsSize {
  /** Of their JSON. */
  readonly characters: number;
  readonly deliveries: number;
}

function addTo(shares: Shares, { workspace, hour, bytes }: Share): void {
  const hours = shares.get(workspace) ?? new Map<number, number>();
  hours.set(hour, (hours.get(hour) ?? 0) + bytes);
  shares.set(workspace, hours);
}

/** From hour to hour by the index, as there may be many counts of destinations between them. */
function written(database: DatabaseSync): Share[] {
  return query<Share>(
    database,
    `WITH RECURSIVE hours (hour) AS (
       SELECT min(hour) FROM counts UNION ALL
       SELECT (SELECT min(hour) FROM counts WHERE hour > hours.hour) FROM hours WHERE hour IS NOT NULL
     ), workspaces AS MATERIALIZED (SELECT id, name FROM names WHERE name NOT LIKE '%/%/%')
     SELECT w.name AS workspace, c.hour, c.count AS bytes FROM hours CROSS JOIN workspaces w CROSS JOIN counts c
     WHERE c.hour = hours.hour AND c.destination = w.id AND c.what = '${WHAT}'`,
  ).all();
}
