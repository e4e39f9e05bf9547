import type pg from 'pg';
import { storable } from '../../../model/json-values.ts';
import { answered } from './deadline.ts';
import { endsConnection, failureOf, NotReplicated } from './failures.ts';
import type { Statement } from './statement.ts';

/** `warning`: the code of what the server says when it answers a commit although the standby has not. */
const WARNING = '01000';

/** One connection, as long as one call has it. */
export class Session {
  readonly #client: pg.PoolClient;
  readonly #deadlineMs: number;
  readonly #onNotice = ({ code }: { readonly code?: string | undefined }): void => {
    if (code === WARNING) this.#isWarned = true;
  };
  #isWarned = false;
  #isBroken = false;

  constructor(client: pg.PoolClient, deadlineMs: number) {
    this.#client = client;
    this.#deadlineMs = deadlineMs;
    client.on('notice', this.#onNotice);
  }

  /** Whether nothing more is to be expected of the connection. */
  get isBroken(): boolean {
    return this.#isBroken;
  }

  /** With `commits`, what the statement and those before it wrote holds from then on. */
  async run<Row>({ name, text }: Statement, values: readonly unknown[], commits: boolean): Promise<readonly Row[]> {
    try {
      const query = this.#client.query<Row & pg.QueryResultRow>({ name, text, values: values.map(sendable) });
      const { rows } = await answered(this.#client, this.#deadlineMs, query);
      if (this.#isWarned) throw new NotReplicated('the synchronous standby did not confirm');
      return rows;
    } catch (error) {
      this.#isBroken = endsConnection(error);
      throw failureOf(error, { statement: name, mayHaveCommitted: commits });
    }
  }

  end(): void {
    this.#client.off('notice', this.#onNotice);
  }
}

/**
 * PostgreSQL refuses a statement for the character 0 in one of its texts. It would refuse it again and again, and with it all
 * that is written together: of whatever workspace.
 */
function sendable(value: unknown): unknown {
  if (typeof value === 'string') return hasZero(value) ? storable(value) : value;
  return Array.isArray(value) && value.some(hasZero) ? value.map(sendable) : value;
}

function hasZero(value: unknown): boolean {
  return typeof value === 'string' && value.includes('\0');
}
