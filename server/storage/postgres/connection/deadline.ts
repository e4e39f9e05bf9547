import type pg from 'pg';

/**
 * Waits for an answer for so long, and then cuts the connection, which ends the call with an error. Never a cancel request:
 * that would end the wait for a synchronous standby as if it had answered.
 */
export async function answered<T>(client: pg.PoolClient, ms: number, call: Promise<T>): Promise<T> {
  // A client that ends while it waits for an answer cuts its connection.
  const timer = setTimeout(() => client.end(() => undefined), ms);
  try {
    return await call;
  } finally {
    clearTimeout(timer);
  }
}
