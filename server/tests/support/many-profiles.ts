import { measure, space, T } from '../conformance/profile-place.ts';

export const AMOUNTS = measure('amounts', 'all');
export const VALUES = measure('values', 'all', 'properties.item');
export const ENDS = measure('ends', 'all', 'properties.item');

/**
 * SQL that stores so many users with a trait and tiles in two hours, as folding does. Into each, two ids were merged; half have
 * an anonymous id, whose traits and tiles count as theirs.
 */
export function manyProfiles(users: number): string {
  const [all, half] = [`generate_series(1, ${users}) n`, `generate_series(2, ${users}, 2) n`];
  const tiles = `SELECT %m, (${T} - back) / 24, holder, ${T} - back, %c
    FROM (SELECT n, n AS holder FROM ${all} UNION ALL SELECT n, -n FROM ${half}) held, (VALUES (0), (30)) hours (back)`;
  const tilesOf = (table: string, number: number, columns: string): string =>
    `INSERT INTO ${table} ${tiles.replace('%m', String(number)).replace('%c', columns)};`;
  return `
    INSERT INTO spaces (name) VALUES ('${space().id}');
    INSERT INTO measures (space, name) VALUES (1, '${AMOUNTS.id}'), (1, '${VALUES.id}'), (1, '${ENDS.id}');
    INSERT INTO trait_names (space, name) VALUES (1, 'plan');
    INSERT INTO users (space, value) SELECT 1, 'user ' || n FROM ${all};
    INSERT INTO users (space, value) SELECT 1, 'before ' || n FROM generate_series(1, 2 * ${users}) n;
    INSERT INTO moved SELECT ${users} + n, 1 + n % ${users} FROM generate_series(1, 2 * ${users}) n;
    INSERT INTO anonymous (space, value) SELECT 1, 'anonymous ' || n FROM ${all};
    INSERT INTO links SELECT -n, ${T} - 40, 0, n FROM ${half};
    INSERT INTO traits SELECT 1, n, 0, n, 'm', '"pro"' FROM ${all};
    INSERT INTO traits SELECT 1, -n, ${T}, n, 'm', '"pro"' FROM ${half};
    ${tilesOf('amounts', 1, '1, 1, n, NULL, NULL')}
    ${tilesOf('counted_values', 2, `'"' || n || '"', 1`)}
    ${tilesOf('ends', 3, `n, 'm', '1', n, 'm', '2'`)}`;
}
