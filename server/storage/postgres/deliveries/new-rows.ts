import type { Clock } from '../../../ports/clock.ts';
import type { Queries } from '../connection/database.ts';
import { StatementRefused } from '../connection/failures.ts';
import { type Statement, writes } from '../connection/statement.ts';

/** SQLSTATE: it is there already. */
const TAKEN = '23505';
/** Whoever sends the same to two routers goes on to. */
const WARY_MS = 10_000;

/** What stores rows that are hardly ever there already. */
export interface NewRows {
  /** Refused as a whole where one of them is. */
  readonly plain: Statement;
  /** The same with ON CONFLICT. */
  readonly wary: Statement;
}

/** `text` is told what follows the rows that may be there. */
export function newRows(name: string, text: (onTaken: string) => string): NewRows {
  return { plain: writes(name, text('')), wary: writes(`${name}_wary`, text('ON CONFLICT DO NOTHING')) };
}

/** Whether a statement was refused because of a row that is there already. */
export function isThere(error: unknown): error is StatementRefused {
  return error instanceof StatementRefused && error.code === TAKEN;
}

/**
 * With ON CONFLICT the server looks for each row before it inserts it: a twelfth of all that it does for an event, to find
 * nothing. So nothing is looked for, until it turns out that something was there.
 */
export class Inserts {
  readonly #queries: Queries;
  readonly #clock: Pick<Clock, 'steady'>;
  /** After something was there already. */
  #waryUntil = 0;

  constructor(queries: Queries, clock: Pick<Clock, 'steady'>) {
    [this.#queries, this.#clock] = [queries, clock];
  }

  /** With `isAgain` it may have been stored before, and nobody heard of it. */
  async run<Row>({ plain, wary }: NewRows, values: readonly unknown[], isAgain: boolean): Promise<readonly Row[]> {
    if (isAgain || this.#clock.steady() < this.#waryUntil) return this.#queries.run<Row>(wary, values);
    try {
      return await this.#queries.run<Row>(plain, values);
    } catch (error) {
      if (!isThere(error)) throw error;
      this.#waryUntil = this.#clock.steady() + WARY_MS;
      return this.#queries.run<Row>(wary, values);
    }
  }
}
