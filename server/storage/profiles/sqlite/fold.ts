import type { DatabaseSync } from 'node:sqlite';
import { EVENT_STEPS } from '../../../audiences/compiled-measures.ts';
import type { Effects, Holder } from '../../../audiences/effects.ts';
import { Budget } from '../../../evaluation/budget.ts';
import { workspaceOf } from '../../../model/resource-names.ts';
import type { Caught } from '../../inbox.ts';
import type { Folded, MeasuredSpace } from '../../profile-storage.ts';
import { createEvaluations } from '../evaluation.ts';
import { identity } from './identity.ts';
import type { AllNumbers } from './numbers.ts';
import { type Positions, positionsIn } from './positions.ts';
import type { TileLot } from '../tile-lot.ts';
import { writeTiles } from './tiles.ts';
import { writeTraits } from './traits.ts';

/** Events behind a position, in their order, of which the last one that is folded becomes the position. */
export interface Lot {
  readonly spaces: readonly MeasuredSpace[];
  readonly caught: readonly Caught[];
  /** Absent where they are of all workspaces. */
  readonly ahead?: Ahead;
}

/** That they are of one workspace; `upTo`: of which no more is left until there. */
export interface Ahead {
  readonly workspace: string;
  readonly upTo?: number;
}

export interface FoldedLot extends Omit<Folded, 'isMore'> {
  /** Id of the last one that is folded. */
  readonly upTo: number;
}

export interface FoldOperations {
  /** Where to go on, for one workspace or for all. */
  readonly position: (workspace: string | undefined) => number;
  /** The greatest id that anything was folded of. */
  readonly lastFolded: () => number;
  readonly fold: (lot: Lot) => FoldedLot;
}

export function foldOperations(database: DatabaseSync, numbers: AllNumbers): FoldOperations {
  const positions = positionsIn(database);
  const tiles = writeTiles(database);
  const apply = applyEffects(database, numbers);
  const evaluations = createEvaluations();
  const position = (workspace?: string): number =>
    workspace === undefined ? positions.ofAll() : positions.of(workspace);
  return {
    position,
    lastFolded: positions.furthest,
    fold: ({ spaces, caught, ahead }) => {
      const evaluation = evaluations(spaces);
      let [events, refusedIds, upTo] = [0, 0, position(ahead?.workspace)];
      const isFresh = freshBehind(positions);
      tiles((lot) => {
        for (const one of caught) {
          if (!isFresh(one)) {
            upTo = Math.max(upTo, one.id);
            continue;
          }
          if (!evaluation.hasRoom()) break;
          const found = evaluation.of(one, new Budget(EVENT_STEPS));
          if (found !== undefined) refusedIds += apply(found.effects, numbers.spaces.of(found.space.id), lot);
          [events, upTo] = [events + 1, one.id];
        }
      });
      if (upTo >= (caught.at(-1)?.id ?? 0)) upTo = Math.max(upTo, ahead?.upTo ?? 0);
      positions.move(ahead?.workspace, upTo);
      return { events, refusedIds, undecided: evaluation.undecided(), upTo };
    },
  };
}

/** Whether an event is not folded yet; each workspace is looked up once. */
function freshBehind({ of }: Positions): (caught: Caught) => boolean {
  const known = new Map<string, number>();
  return ({ id, source }) => {
    const workspace = workspaceOf(source);
    const position = known.get(workspace) ?? of(workspace);
    known.set(workspace, position);
    return id > position;
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
