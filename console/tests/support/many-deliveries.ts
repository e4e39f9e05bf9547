import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

const EVENT = `'{"type":"track","messageId":"m' || n || '","event":"Order ' || n || '","userId":"u' || (n % 997) || '"}'`;

/** Writes deliveries that have ended into the storage of a router that does not run: each hundredth failed, the last one first. */
export function storeDeliveries(folder: string, destination: string, count: number): void {
  const database = new DatabaseSync(join(folder, 'deliveries.sqlite'));
  try {
    const begin = Date.now() - count - 60_000;
    database.exec(`
      BEGIN;
      INSERT INTO names (name) VALUES ('${destination}') ON CONFLICT DO NOTHING;
      CREATE TEMP TABLE numbers AS
        WITH RECURSIVE one (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM one WHERE n < ${count}) SELECT n FROM one;
      INSERT INTO messages (id, source, received_at, event) SELECT n, 1, ${begin} + n, ${EVENT} FROM numbers;
      INSERT INTO deliveries (id, message, destination, state, round, tries, due_at, set_at, closed, received_at, window_from,
        earlier_rounds, ended_at, type, event, user_id)
      SELECT n, n, (SELECT id FROM names WHERE name = '${destination}'), iif(n % 100 = 0, 'failed', 'delivered'), 1, 1, 0, 0, '[]',
        ${begin} + n, ${begin} + n, 0, ${begin} + n + 5, 'track', 'Order ' || n, 'u' || (n % 997) FROM numbers;
      COMMIT`);
  } finally {
    database.close();
  }
}
