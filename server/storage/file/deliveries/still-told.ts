import type { DatabaseSync } from 'node:sqlite';
import { isComputation } from '../../../model/resource-names.ts';
import { query } from './query.ts';

interface LastTold {
  readonly source: string;
  /** Null where nothing is known that was told. */
  readonly delivery: number | null;
}

/** Whether a delivery of type identify tells of a user what is not the last that its destination was told. */
export function superseded(database: DatabaseSync): (delivery: number) => boolean {
  const last = query<LastTold>(
    database,
    `SELECT n.name AS source, (SELECT t.delivery FROM told t
       WHERE t.computation = m.source AND t.destination = d.destination AND t.user_id = d.user_id) AS delivery
     FROM deliveries d JOIN messages m ON m.id = d.message JOIN names n ON n.id = m.source
     WHERE d.id = ?`,
  );
  return (delivery) => {
    const told = last.get(delivery);
    return told !== undefined && isComputation(told.source) && told.delivery !== delivery;
  };
}
