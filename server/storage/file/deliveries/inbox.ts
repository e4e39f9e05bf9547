import type { DatabaseSync } from 'node:sqlite';
import type { Caught, Inbox } from '../../inbox.ts';
import type { Operations } from '../../verbs.ts';
import { query } from './query.ts';

export function inboxOperations(database: DatabaseSync): Pick<Operations, keyof Inbox> {
  const page = query<Caught>(
    database,
    `SELECT i.id, n.name AS source, i.caught FROM inbox i JOIN names n ON n.id = i.source
     WHERE i.id > ? ORDER BY i.id LIMIT ?`,
  );
  const clear = database.prepare('DELETE FROM inbox WHERE id <= ?');
  // SQLite has a row for the table once it was given an id.
  const begin = database.prepare(`
    INSERT INTO sqlite_sequence (name, seq) SELECT 'inbox', 0
    WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = 'inbox')`);
  const goOn = database.prepare("UPDATE sqlite_sequence SET seq = max(seq, ?) WHERE name = 'inbox'");
  return {
    readInbox: ({ after, limit }) => page.all(after, limit),
    clearInbox: ({ upTo }) => void clear.run(upTo),
    continueInbox({ after }) {
      begin.run();
      goOn.run(after);
    },
  };
}
