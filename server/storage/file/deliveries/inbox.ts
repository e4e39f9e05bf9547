import type { DatabaseSync } from 'node:sqlite';
import type { Caught, Inbox } from '../../inbox.ts';
import type { Operations } from '../../verbs.ts';
import { query } from './query.ts';

/** Whether a name is that of a source of a workspace: as a range, which the index of names knows. */
export function isSourceIn(workspace: string, name: string): string {
  return `${name} > ${workspace} || '/sources/' AND ${name} < ${workspace} || '/sources0'`;
}

/** Of each source of a workspace the oldest, by the index: others may have millions before them. */
const OLDEST_IN = `SELECT oldest.value FROM names n CROSS JOIN json_each((
    SELECT json_group_array(id) FROM (
      SELECT id FROM inbox WHERE source = n.id AND id > ?1 AND id <= ?3 ORDER BY source, id LIMIT ?4))) oldest
  WHERE ${isSourceIn('?2', 'n.name')} AND instr(n.name, '/destinations/') = 0`;

export function inboxOperations(database: DatabaseSync): Pick<Operations, keyof Inbox> {
  const page = query<Caught>(
    database,
    `SELECT i.id, n.name AS source, i.caught FROM inbox i JOIN names n ON n.id = i.source
     WHERE i.id > ? ORDER BY i.id LIMIT ?`,
  );
  const pageOf = query<Caught>(
    database,
    `SELECT i.id, n.name AS source, i.caught FROM inbox i JOIN names n ON n.id = i.source
     WHERE i.id IN (${OLDEST_IN}) ORDER BY i.id LIMIT ?4`,
  );
  const clear = database.prepare('DELETE FROM inbox WHERE id <= ?');
  const clearOf = database.prepare(`
    DELETE FROM inbox INDEXED BY inbox_of_source WHERE id > ?1 AND id <= ?3
      AND source IN (SELECT id FROM names WHERE ${isSourceIn('?2', 'name')})`);
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
