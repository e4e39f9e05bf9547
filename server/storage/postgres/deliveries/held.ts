import { deliveryId } from '../../../model/delivery.ts';
import type { DeliveryStorage } from '../../delivery-storage.ts';
import type { Queries } from '../connection/database.ts';
import { reads, writes } from '../connection/statement.ts';
import type { Names } from '../names.ts';
import { CARRIED, HELD, LIFE, numbers } from './columns.ts';
import type { Heads } from './heads.ts';
import type { OwnLife } from './life.ts';

export interface HeldParts {
  readonly database: Queries;
  readonly names: Names;
  readonly life: OwnLife;
  readonly heads: Heads;
}

/** Due at once: what a due time was chosen at has come. */
const RELEASE = writes(
  'release',
  `WITH ${LIFE}, ${HELD}, gone AS (
     DELETE FROM tries t USING found WHERE t.ctid = found.tid RETURNING t.*, n
   ), back AS (
     INSERT INTO queue (round, due_at, set_at, ${CARRIED}) SELECT round, set_at, set_at, ${CARRIED} FROM gone
   )
   SELECT ARRAY(SELECT n::integer FROM gone) AS freed`,
);

const READ_HELD = reads(
  'held',
  `SELECT id, round, destination FROM tries WHERE id > $3 AND node = $1 AND epoch = $2 ORDER BY id LIMIT $4`,
);

interface HeldRow {
  readonly id: number;
  readonly round: number;
  readonly destination: number;
}

export function release({ database, life, heads }: HeldParts): DeliveryStorage['release'] {
  return async (claims) => {
    const indexes = [...claims.keys()];
    const { holder } = life;
    const own = claims.map((fence, index) => ({ fence, index })).filter(({ fence }) => life.has(fence));
    if (holder === undefined || own.length === 0) return indexes;
    const fences = [own.map(({ fence }) => Number(fence.delivery)), own.map(({ fence }) => fence.round)];
    const values = [holder.id, holder.epoch, ...fences.map(numbers)];
    // Whatever becomes of it: looks that begin before it, or end after it, may not have seen what comes back.
    const [answer] = await database
      .run<{ readonly freed: readonly number[] }>(RELEASE, values)
      .finally(() => heads.forget());
    const freed = new Set(answer?.freed.map((place) => own[place - 1]?.index));
    return indexes.filter((index) => !freed.has(index));
  };
}

export function held({ database, names, life }: Omit<HeldParts, 'heads'>): DeliveryStorage['held'] {
  return async ({ after = '0', limit }) => {
    const { holder, node } = life;
    if (holder === undefined) return { held: [], next: undefined };
    const { id, epoch } = holder;
    const rows = await database.run<HeldRow>(READ_HELD, [id, epoch, after, limit]);
    await names.read(rows.map(({ destination }) => destination));
    return {
      held: rows.map((row) => {
        const fence = { delivery: deliveryId(String(row.id)), node, epoch, round: row.round };
        return { ...fence, destination: names.nameOf(row.destination) };
      }),
      next: rows.length === limit ? String(rows.at(-1)?.id) : undefined,
    };
  };
}
