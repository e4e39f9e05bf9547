import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import type { Definition, TraitDefinition } from '../../../model/definition.ts';
import { literal } from './fql-sql.ts';
import { membersSql } from './members-sql.ts';
import { ALIASES, EVENTS, JOIN, MOVED, OWNERS, PROFILES, RAW, SEEN, TAKE, TOLD_AS, USERS } from './people-sql.ts';
import { type SqlRows, traitRows } from './values-sql.ts';

/** Users in the order of their UTF-8, with values as JSON. */
export type Values = readonly (readonly [user: string, value: string])[];

/** DuckDB over raw events: another database than the engines, asked by SQL of its own. */
export class SqlOracle implements AsyncDisposable {
  readonly #instance: DuckDBInstance;
  readonly #connection: DuckDBConnection;
  /** What was found at the present hour, by the name of its computation. */
  readonly #found = new Map<string, SqlRows>();

  private constructor(instance: DuckDBInstance, connection: DuckDBConnection) {
    [this.#instance, this.#connection] = [instance, connection];
  }

  static async open(): Promise<SqlOracle> {
    const instance = await DuckDBInstance.create(':memory:', { threads: '2' });
    const oracle = new SqlOracle(instance, await instance.connect());
    await oracle.#run(RAW);
    return oracle;
  }

  /** A file of JSON lines, each with the source and the event. */
  async load(path: string): Promise<void> {
    const columns = "{source: 'VARCHAR', event: 'JSON'}";
    await this.#run(
      `INSERT INTO raw SELECT * FROM read_json(${literal(path)}, format = 'newline_delimited', columns = ${columns})`,
    );
  }

  /** Looks at all events again. Answers how many profiles there are. */
  async read(): Promise<number> {
    this.#found.clear();
    for (const sql of [SEEN, ALIASES, USERS]) await this.#run(sql);
    do await this.#run(JOIN);
    while ((await this.#number(MOVED)) > 0 && (await this.#run(TAKE)));
    for (const sql of [TOLD_AS, OWNERS, EVENTS, PROFILES]) await this.#run(sql);
    return this.#number('SELECT count(*) FROM profiles');
  }

  /** What a definition refers to has been asked before, at the same hour. */
  async members(name: string, definition: Definition, hour: number): Promise<Values> {
    const values = (other: string): SqlRows => this.#found.get(other) ?? missing(other);
    const sql = membersSql(definition, hour, { values, members: (other) => values(other).sql });
    return this.#keep(name, { kind: 'json', sql: `SELECT profile, 'true' AS value FROM (${sql}) m` });
  }

  async values(name: string, definition: TraitDefinition, hour: number): Promise<Values> {
    return this.#keep(name, traitRows(definition, hour));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#connection.closeSync();
    this.#instance.closeSync();
  }

  async #keep(name: string, { kind, sql }: SqlRows): Promise<Values> {
    const table = `found_${this.#found.size}`;
    await this.#run(`CREATE OR REPLACE TABLE ${table} AS ${sql}`);
    this.#found.set(name, { kind, sql: `(FROM ${table})` });
    const number = kind === 'number' ? 'CAST(value AS DOUBLE)' : 'value';
    const [users = [], values = []] = await this.#columns(`SELECT profile, ${number} FROM ${table} ORDER BY profile`);
    return users.map((user, at) => [String(user), kind === 'number' ? JSON.stringify(values[at]) : String(values[at])]);
  }

  async #run(sql: string): Promise<true> {
    await this.#connection.run(sql);
    return true;
  }

  async #number(sql: string): Promise<number> {
    const [[count] = []] = await this.#columns(sql);
    return Number(count);
  }

  async #columns(sql: string): Promise<readonly (readonly unknown[])[]> {
    return (await this.#connection.runAndReadAll(sql)).getColumnsJS();
  }
}

function missing(name: string): never {
  throw new Error(`${name} has not been asked for`);
}
