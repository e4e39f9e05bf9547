import type pg from 'pg';

export interface Deadlines {
  /** For a connection that is to come, and for one that does nothing within a transaction. */
  readonly idleMs: number;
  /** For the answer to a statement. */
  readonly answerMs: number;
}

/**
 * Waits for an answer for so long, and then cuts the connection, which ends the call with an error. Never a cancel request:
 * that would end the wait for a synchronous standby as if it had answered.
 */
export async function answered<T>(client: pg.PoolClient, ms: number, call: Promise<T>): Promise<T> {
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    // A client that ends while it waits for an answer cuts its connection.
    client.end(() => undefined);
  }, ms);
  try {
    return await call;
  } catch (error) {
    throw isLate ? new Error(`no answer within ${ms} ms`, { cause: error }) : error;
  } finally {
    clearTimeout(timer);
  }
}
