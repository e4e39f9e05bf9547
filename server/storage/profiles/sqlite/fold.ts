import type { DatabaseSync } from 'node:sqlite';
import type { CaughtEvent } from '../../../audiences/catch.ts';
import { type Effects, effectsOf, type Holder } from '../../../audiences/effects.ts';
import type { Caught } from '../../inbox.ts';
import type { Folded, MeasuredSpace } from '../../profile-storage.ts';
import { query } from '../../file/deliveries/query.ts';
import { workspaceOf } from '../../../model/resources.ts';
import { compiledSpaces } from '../compiled-spaces.ts';
import { identity } from './identity.ts';
import type { AllNumbers } from './numbers.ts';
import type { TileLot } from '../tile-lot.ts';
import { writeTiles } from './tiles.ts';
import { writeTraits } from './traits.ts';

/** Events behind the position, in their order, of which the last one becomes the position. */
export interface Lot {
  readonly spaces: readonly MeasuredSpace[];
  readonly caught: readonly Caught[];
}

export interface FoldOperations {
  readonly position: () => number;
  readonly fold: (lot: Lot) => Omit<Folded, 'isMore'>;
}

export function foldOperations(database: DatabaseSync, numbers: AllNumbers): FoldOperations {
  const position = query<{ readonly position: number }>(database, 'SELECT position FROM folded');
  const move = database.prepare('UPDATE folded SET position = max(position, ?)');
  const tiles = writeTiles(database);
  const apply = applyEffects(database, numbers);
  const compiled = compiledSpaces();
  const positionNow = (): number => position.get()?.position ?? 0;
  return {
    position: positionNow,
    fold: ({ spaces, caught }) => {
      const byWorkspace = new Map(spaces.map((space) => [space.workspace, space]));
      const from = positionNow();
      const fresh = caught.filter(({ id }) => id > from);
      let refusedIds = 0;
      tiles((lot) => {
        for (const { source, caught: json } of fresh) {
          const space = byWorkspace.get(workspaceOf(source));
          if (space === undefined) continue;
          // Written by this version, or the one before, as JSON of this type.
          const event: CaughtEvent = JSON.parse(json);
          refusedIds += apply(effectsOf(event, source, compiled(space)), numbers.spaces.of(space.id), lot);
        }
      });
      move.run(fresh.at(-1)?.id ?? 0);
      return { events: fresh.length, refusedIds };
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
