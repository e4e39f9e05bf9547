export const TILE_TABLES = ['amounts', 'counted_values', 'ends'] as const;

export type TileTable = (typeof TILE_TABLES)[number];

/**
 * Whose the things of a holder are at an hour, by the links of anonymous ids: the latest hour until then in which it was seen
 * with a user, and of several in that hour the last; where it was not seen before, the first of the earliest hour.
 */
function ownerSql(holder: string, hour: string): string {
  const links = `SELECT l.owner FROM links l JOIN users u ON u.id = l.owner WHERE l.anonymous = ${holder}`;
  const until = `${links} AND l.hour <= ${hour} ORDER BY l.hour DESC, l.at DESC, u.value DESC LIMIT 1`;
  const earliest = `${links} ORDER BY l.hour, l.at, u.value LIMIT 1`;
  return `CASE WHEN ${holder} > 0 THEN ${holder} ELSE coalesce((${until}), (${earliest})) END`;
}

/**
 * Rows of a table with holders as those of profiles, in a column `profile`: without those of anonymous ids that were never
 * seen with a user.
 */
export function attributedSql(table: string, columns: readonly string[], where: string): string {
  const [own, outer] = [columns.map((column) => `t.${column}`), columns.map((column) => `o.${column}`)];
  const owned = `SELECT ${[`${ownerSql('t.holder', 't.hour')} AS owner`, ...own].join(', ')} FROM ${table} t WHERE ${where}`;
  return `SELECT ${['coalesce(m.profile, o.owner) AS profile', ...outer].join(', ')}
    FROM (${owned}) o LEFT JOIN moved m ON m.id = o.owner WHERE o.owner IS NOT NULL`;
}

/** Whether a user is known under another id by now. */
export function isMoved(user: string): string {
  return `EXISTS (SELECT 1 FROM moved WHERE moved.id = ${user})`;
}
