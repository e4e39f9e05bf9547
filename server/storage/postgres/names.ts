import { StoreUnavailable } from '../config-store.ts';
import { LatestKeys } from '../latest-keys.ts';
import type { Database } from './connection/database.ts';
import { keeps, type Statement, writes } from './connection/statement.ts';

interface NameRow {
  readonly id: number;
  readonly name: string;
}

const FIND = keeps('find_names', 'SELECT id, name FROM names WHERE name = ANY($1::text[])');
const READ = keeps('read_names', 'SELECT id, name FROM names WHERE id = ANY($1::integer[])');
const ADD = writes(
  'add_names',
  'INSERT INTO names (name) SELECT name FROM unnest($1::text[]) name ORDER BY name ON CONFLICT DO NOTHING',
);

/** So many are kept in memory, of either kind: what is gone is asked for no more. */
const MAX_KNOWN = 100_000;

/**
 * Resource names by small numbers, so that rows and indexes stay narrow. A name keeps its number for ever, on one server: one that is
 * promoted may not have the last of them, and gives their numbers to other names.
 */
export class Names {
  readonly #queries: Pick<Database, 'run' | 'timeline'>;
  #ids = new LatestKeys<number>(MAX_KNOWN);
  #names = new LatestKeys<string, number>(MAX_KNOWN);
  #timeline = 0;

  constructor(queries: Pick<Database, 'run' | 'timeline'>) {
    this.#queries = queries;
  }

  /** Once they have been added. */
  idOf(name: string): number {
    this.#forgetAfterPromotion();
    const id = this.#ids.get(name);
    if (id === undefined) throw new StoreUnavailable(`${name} has no number`);
    return id;
  }

  nameOf(id: number): string {
    this.#forgetAfterPromotion();
    const name = this.#names.get(id);
    if (name === undefined) throw new StoreUnavailable(`no name has the number ${id}`);
    return name;
  }

  /** Whether nothing has to be asked for `idOf` of all of these. */
  hasAll(names: readonly string[]): boolean {
    this.#forgetAfterPromotion();
    return names.every((name) => this.#ids.get(name) !== undefined);
  }

  /** Gives a number to those that have none, in a transaction of its own: what asks for it may fail, the name stays. */
  async add(names: readonly string[]): Promise<void> {
    if (this.hasAll(names) || (await this.find(names))) return;
    await this.#queries.run(ADD, [this.#unknown(names)]);
    await this.find(names);
  }

  /** Whether all of them have a number, which `idOf` answers from then on. */
  async find(names: readonly string[]): Promise<boolean> {
    this.#forgetAfterPromotion();
    const unknown = this.#unknown(names);
    if (unknown.length > 0) await this.#learn(FIND, unknown);
    return this.hasAll(names);
  }

  /** `nameOf` answers each of them from then on. */
  async read(ids: readonly number[]): Promise<void> {
    this.#forgetAfterPromotion();
    const unknown = [...new Set(ids)].filter((id) => this.#names.get(id) === undefined);
    if (unknown.length > 0) await this.#learn(READ, unknown);
  }

  #forgetAfterPromotion(): void {
    const timeline = this.#queries.timeline();
    if (timeline === this.#timeline) return;
    this.#timeline = timeline;
    this.#ids = new LatestKeys(MAX_KNOWN);
    this.#names = new LatestKeys(MAX_KNOWN);
  }

  #unknown(names: readonly string[]): string[] {
    return [...new Set(names)].filter((name) => this.#ids.get(name) === undefined);
  }

  async #learn(statement: Statement, asked: readonly unknown[]): Promise<void> {
    const timeline = this.#timeline;
    const rows = await this.#queries.run<NameRow>(statement, [asked]);
    // Another server may have been promoted while this one answered.
    if (timeline !== this.#queries.timeline()) return;
    for (const { id, name } of rows) {
      this.#ids.set(name, id);
      this.#names.set(id, name);
    }
  }
}
