/** The columns that a delivery takes with it from `queue` to `tries` and back. */
export const CARRIED =
  'id, message, destination, tries, earlier_rounds, closed, received_at, window_from, bytes, type, event, user_id, line';

/** An array as the server reads it: a statement of five hundred events has dozens of them, and quotes would double it. */
export function numbers(values: readonly (number | boolean | null)[]): string {
  return `{${values.map((value) => (value === null ? 'NULL' : value)).join(',')}}`;
}

/** Refuses whatever is not of a life that goes on; `$1` is its node, `$2` its epoch. */
export const LIFE = `life AS MATERIALIZED (
  SELECT FROM nodes WHERE id = $1::integer AND epoch = $2::bigint AND until IS NOT NULL
)`;

/**
 * What is held of the fences `$3` (deliveries) and `$4` (rounds), by the place of its row. Row by row, so that no statistics
 * make a scan of it, however empty or full the table was when they were made.
 */
export const HELD = `found AS MATERIALIZED (
  SELECT fence.n, held.tid FROM unnest($3::bigint[], $4::integer[]) WITH ORDINALITY fence (id, round, n),
    LATERAL (SELECT ctid AS tid FROM tries t
      WHERE t.id = fence.id AND t.round = fence.round AND t.node = $1::integer AND t.epoch = $2::bigint OFFSET 0) held
  WHERE EXISTS (SELECT FROM life)
)`;
