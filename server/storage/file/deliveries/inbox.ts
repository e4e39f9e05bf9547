import type { DatabaseSync } from 'node:sqlite';
import type { Caught, Inbox } from '../../inbox.ts';
import type { Operations } from '../../verbs.ts';
import { query } from './query.ts';

/** Whether a name is that of a source of a workspace: as a range, which the index of names knows. */
export function isSourceIn(workspace: string, name: string): string {
  return `${name} > ${workspace} || '/sources/' AND ${name} < ${workspace} || '/sources0'`;
}

/** A source, or one and what is below it: any workspace and any source may be called "destinations". */
const IN_SOURCES = "substr(own.name, length(?2 || '/sources/') + 1)";
/** From one to the next by the index: the destinations of each, which may be any number, also such as are gone, are passed at once. */
const SOURCES = `own (name) AS (
    SELECT min(name) FROM names WHERE ${isSourceIn('?2', 'name')}
    UNION ALL SELECT (SELECT min(name) FROM names WHERE name < ?2 || '/sources0' AND name > CASE instr(${IN_SOURCES}, '/')
      WHEN 0 THEN own.name ELSE ?2 || '/sources/' || substr(${IN_SOURCES}, 1, instr(${IN_SOURCES}, '/')) || 'destinations0' END)
    FROM own WHERE own.name IS NOT NULL
  ), sources (id) AS (SELECT n.id FROM own CROSS JOIN names n ON n.name = own.name WHERE instr(${IN_SOURCES}, '/') = 0)`;

function oldestOf(source: string, behind: string): string {
  return `(SELECT id FROM inbox WHERE source = ${source} AND id > ${behind} AND id <= ?3 ORDER BY source, id LIMIT 1)`;
}

/**
 * The oldest of each source of a workspace, by the index, and after each that is taken the next of its source: others may have millions
 * before them, and each source millions behind them.
 */
const OLDEST = `oldest (id, source) AS (
    SELECT i.id, i.source FROM sources CROSS JOIN inbox i ON i.id = ${oldestOf('sources.id', '?1')}
    UNION ALL SELECT i.id, i.source FROM oldest CROSS JOIN inbox i ON i.id = ${oldestOf('oldest.source', 'oldest.id')}
    ORDER BY 1 LIMIT ?4)`;

export function inboxOperations(database: DatabaseSync): Pick<Operations, keyof Inbox> {
  const page = query<Caught>(
    database,
    `SELECT i.id, n.name AS source, i.caught FROM inbox i JOIN names n ON n.id = i.source
     WHERE i.id > ? ORDER BY i.id LIMIT ?`,
  );
  const pageOf = query<Caught>(
    database,
    `WITH RECURSIVE ${SOURCES}, ${OLDEST} SELECT i.id, n.name AS source, i.caught
     FROM oldest CROSS JOIN inbox i ON i.id = oldest.id CROSS JOIN names n ON n.id = oldest.source ORDER BY i.id`,
  );
  const clear = database.prepare('DELETE FROM inbox WHERE id <= ?');
  const clearOf = database.prepare(`
    DELETE FROM inbox WHERE id IN (WITH RECURSIVE ${SOURCES} SELECT i.id FROM sources CROSS JOIN inbox i
      INDEXED BY inbox_of_source ON i.source = sources.id AND i.id > ?1 AND i.id <= ?3)`);
  const last = query<{ readonly id: number | null }>(database, 'SELECT max(id) AS id FROM inbox');
  // SQLite has a row for the table once it was given an id.
  const begin = database.prepare(`
    INSERT INTO sqlite_sequence (name, seq) SELECT 'inbox', 0
    WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = 'inbox')`);
  const goOn = database.prepare("UPDATE sqlite_sequence SET seq = max(seq, ?) WHERE name = 'inbox'");
  return {
    readInbox: ({ after, limit, of }) =>
      of === undefined ? page.all(after, limit) : pageOf.all(after, of.workspace, of.upTo, limit),
    clearInbox({ upTo, of }) {
      if (of === undefined) clear.run(upTo);
      else clearOf.run(of.after, of.workspace, upTo);
    },
    lastCaught: () => last.get()?.id ?? 0,
    continueInbox({ after }) {
      begin.run();
      goOn.run(after);
    },
  };
}
