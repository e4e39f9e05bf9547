import { randomUUID } from 'node:crypto';
import { StorageUnusable } from '../../errors.ts';
import type { Session } from './session.ts';
import { script } from './statement.ts';

/** Without names: what one connection has prepared, another might be given. */
const [BEGIN, ROLLBACK] = [script('BEGIN'), script('ROLLBACK')];
const READ_MARK = script("SELECT current_setting('waybill.session', true) AS mark");

const SHARED =
  'between this router and the database is a pooler in transaction mode, which gives one session of the server to several connections in turn (PgBouncer with pool_mode = transaction). A router sets up each of its connections once: connect it to the server itself, or to a pooler in session mode';

/** Rejects with StorageUnusable where two connections do not each have a session of the server of their own. */
export async function refuseShared(own: Session, other: Session): Promise<void> {
  const mark = randomUUID();
  await own.run(script(`SELECT set_config('waybill.session', '${mark}', false)`), [], false);
  // A pooler gives out the free session that was used last, or first. Of two, the second time, that is the one with the mark; of more,
  // `own` is given another.
  for (let times = 0; times < 2; times += 1) {
    await other.run(BEGIN, [], false);
    const marks = await marksOf(own, other);
    if (marks.other === mark || marks.own !== mark) throw new StorageUnusable(SHARED);
  }
}

/** While the other holds a session by its transaction, which ends here. */
async function marksOf(own: Session, other: Session): Promise<{ readonly own: unknown; readonly other: unknown }> {
  try {
    return { other: await markOf(other), own: await markOf(own) };
  } finally {
    if (!other.isBroken) await other.run(ROLLBACK, [], false);
  }
}

async function markOf(session: Session): Promise<unknown> {
  const [row] = await session.run<{ readonly mark: unknown }>(READ_MARK, [], false);
  return row?.mark;
}
