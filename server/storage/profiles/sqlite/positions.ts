import type { DatabaseSync } from 'node:sqlite';
import { query } from '../../file/deliveries/query.ts';

/** How far the inbox has been folded: what has a greater id is not in the profiles yet. */
export interface Positions {
  /** Of all that is behind it something may be folded already, of a workspace that is ahead. */
  readonly ofAll: () => number;
  readonly of: (workspace: string) => number;
  /** Of whoever is furthest ahead. */
  readonly furthest: () => number;
  /** Of one workspace, or of all. */
  readonly move: (workspace: string | undefined, upTo: number) => void;
}

export function positionsIn(database: DatabaseSync): Positions {
  const all = query<{ readonly position: number }>(database, 'SELECT position FROM folded');
  const ahead = query<{ readonly position: number }>(database, 'SELECT position FROM folded_ahead WHERE workspace = ?');
  const furthest = query<{ readonly position: number | null }>(
    database,
    'SELECT max(position) AS position FROM folded_ahead',
  );
  const move = database.prepare('UPDATE folded SET position = max(position, ?)');
  const moveOne = database.prepare(`INSERT INTO folded_ahead VALUES (?, ?)
    ON CONFLICT DO UPDATE SET position = max(position, excluded.position)`);
  const forget = database.prepare('DELETE FROM folded_ahead WHERE position <= ?');
  const ofAll = (): number => all.get()?.position ?? 0;
  return {
    ofAll,
    of: (workspace) => Math.max(ofAll(), ahead.get(workspace)?.position ?? 0),
    furthest: () => Math.max(ofAll(), furthest.get()?.position ?? 0),
    move(workspace, upTo) {
      if (workspace !== undefined) moveOne.run(workspace, upTo);
      else {
        move.run(upTo);
        forget.run(upTo);
      }
    },
  };
}
