import type { DatabaseSync } from 'node:sqlite';
import { EVENT_STEPS } from '../../../audiences/compiled-measures.ts';
import type { Effects, Holder } from '../../../audiences/effects.ts';
import { Budget } from '../../../evaluation/budget.ts';
import type { Caught } from '../../inbox.ts';
import type { Folded, MeasuredSpace } from '../../profile-storage.ts';
import { query } from '../../file/deliveries/query.ts';
import { createEvaluations } from '../evaluation.ts';
import { identity } from './identity.ts';
import type { AllNumbers } from './numbers.ts';
import type { TileLot } from '../tile-lot.ts';
import { writeTiles } from './tiles.ts';
import { writeTraits } from './traits.ts';

/** Events behind the position, in their order, of which the last one that is folded becomes the position. */
export interface Lot {
  readonly spaces: readonly MeasuredSpace[];
  readonly caught: readonly Caught[];
}

export interface FoldedLot extends Omit<Folded, 'isMore'> {
  /** Id of the last one that is folded. */
  readonly upTo: number;
}

export interface FoldOperations {
  readonly position: () => number;
  readonly fold: (lot: Lot) => FoldedLot;
}

export function foldOperations(database: DatabaseSync, numbers: AllNumbers): FoldOperations {
  const position = query<{ readonly position: number }>(database, 'SELECT position FROM folded');
  const move = database.prepare('UPDATE folded SET position = max(position, ?)');
  const tiles = writeTiles(database);
  const apply = applyEffects(database, numbers);
  const evaluations = createEvaluations();
  const positionNow = (): number => position.get()?.position ?? 0;
  return {
    position: positionNow,
    fold: ({ spaces, caught }) => {
      const evaluation = evaluations(spaces);
      let [events, refusedIds, upTo] = [0, 0, positionNow()];
      const fresh = caught.filter(({ id }) => id > upTo);
      tiles((lot) => {
        for (const one of fresh) {
          if (!evaluation.hasRoom()) break;
          const found = evaluation.of(one, new Budget(EVENT_STEPS));
          if (found !== undefined) refusedIds += apply(found.effects, numbers.spaces.of(found.space.id), lot);
          [events, upTo] = [events + 1, one.id];
        }
      });
      move.run(upTo);
      return { events, refusedIds, undecided: evaluation.undecided(), upTo };
    },
  };
}

/** Answers how many ids were refused. */
function applyEffects(
  database: DatabaseSync,
  numbers: AllNumbers,
): (effects: Effects, space: number, lot: TileLot) => number {
  const { link, unite } = identity(database);
  const write = writeTraits(database);
  return ({ at, hour, messageId, ...effects }, space, lot) => {
    const holder = effects.holder === undefined ? undefined : numberOf(numbers, space, effects.holder);
    let { refusedIds } = effects;
    for (const { anonymousId, userId } of effects.links) {
      const [anonymous, owner] = [numbers.anonymous.of(space, anonymousId), numbers.users.of(space, userId)];
      if (!link({ anonymous, owner, hour, at })) refusedIds += 1;
    }
    if (effects.union !== undefined) {
      const { previousId, userId } = effects.union;
      const [previous, user] = [numbers.users.of(space, previousId), numbers.users.of(space, userId)];
      if (!unite({ previous, user, at, messageId })) refusedIds += 1;
    }
    if (holder === undefined) return refusedIds;
    const traits = effects.traits.map(([name, json]) => [numbers.traits.of(space, name), json] as const);
    write({ holder, hour: holder > 0 ? 0 : hour, at, traits });
    lot.add({ holder, hour, at, messageId }, effects.counted, (id) => numbers.measures.of(space, id));
    return refusedIds;
  };
}

function numberOf(numbers: AllNumbers, space: number, { kind, id }: Holder): number {
  return kind === 'user' ? numbers.users.of(space, id) : numbers.anonymous.of(space, id);
}
