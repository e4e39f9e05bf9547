import type { PostgresMigration } from './migrations.ts';

/**
 * What is looked up by a text stands in the order of its bytes. The order of the database's locale changes with the library that
 * sorts (another image of the server, another version of glibc or ICU), and then an index no longer finds what it has: names got
 * a second number, and what was deleted stood again. Columns keep their collation: statements that routers of earlier versions
 * have prepared answer it. `told`, `users` and what else has the collation "C" needs nothing. `counts` keeps its key: a row that
 * is not found is begun anew, and rows are added up.
 */
const KEYS: readonly (readonly [table: string, was: string, index: string, ...columns: string[]])[] = [
  ['nodes', 'nodes_name_key', 'nodes_name', 'name'],
  ['leases', 'leases_pkey', 'leases_job', 'job'],
  ['names', 'names_name_key', 'names_name', 'name'],
  ['resources', 'resources_pkey', 'resources_name', 'name'],
  ['config_versions', 'config_versions_pkey', 'config_versions_workspace', 'workspace'],
  ['rates', 'rates_pkey', 'rates_key', 'key'],
  ['used_ids', 'used_ids_pkey', 'used_ids_id', 'owner', 'id'],
  ['secrets', 'secrets_pkey', 'secrets_name', 'name'],
  ['loss_counts', 'loss_counts_pkey', 'loss_counts_of', 'owner', 'list', 'day', 'what', 'detail'],
  ['spaces', 'spaces_name_key', 'spaces_name', 'name'],
  ['measures', 'measures_space_name_key', 'measures_name', 'space', 'name'],
  ['trait_names', 'trait_names_space_name_key', 'trait_names_name', 'space', 'name'],
  ['computations', 'computations_space_name_key', 'computations_name', 'space', 'name'],
];
const NO_TEXT = ['id', 'day', 'space'];

const bytewise = (column: string): string => (NO_TEXT.includes(column) ? column : `${column} text_pattern_ops`);

/**
 * While an index is made, its table is read as before, and no longer than a moment is it used by nobody. A table that had a primary
 * key is told from which index a publication knows its rows.
 */
function replaced([table, was, index, ...columns]: (typeof KEYS)[number]): readonly string[] {
  const identity = was.endsWith('_pkey') ? `ALTER TABLE ${table} REPLICA IDENTITY USING INDEX ${index};` : '';
  return [
    `CREATE UNIQUE INDEX IF NOT EXISTS ${index} ON ${table} (${columns.map(bytewise).join(', ')})`,
    `${identity} ALTER TABLE ${table} DROP CONSTRAINT IF EXISTS ${was}`,
  ];
}

/** What is not unique. */
const LISTS = [
  ['resources_home', 'resources_of', 'resources (home text_pattern_ops)'],
  ['loss_items_last', 'loss_items_of', 'loss_items (owner text_pattern_ops, list text_pattern_ops, id)'],
].flatMap(([was, index, on]) => [`CREATE INDEX IF NOT EXISTS ${index} ON ${on}`, `DROP INDEX IF EXISTS ${was}`]);

export const bytes: PostgresMigration = {
  version: 11,
  oldest: 1,
  what: 'what is found by its name is found whatever library sorts the texts of the database',
  parts: [...LISTS, ...KEYS.flatMap(replaced)],
  sql: 'SELECT',
};
