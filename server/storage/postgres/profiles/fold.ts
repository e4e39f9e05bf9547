import { EVENT_STEPS } from '../../../audiences/compiled-measures.ts';
import type { Effects } from '../../../audiences/effects.ts';
import { Budget } from '../../../evaluation/budget.ts';
import { createTurns, inTurn } from '../../../fairness/turns.ts';
import type { Caught } from '../../inbox.ts';
import { createEvaluations, type SpaceEffects } from '../../profiles/evaluation.ts';
import { TileLot } from '../../profiles/tile-lot.ts';
import { type Folded, type MeasuredSpace, NOTHING_FOLDED, type ProfileStorage } from '../../profile-storage.ts';
import type { Database, Queries } from '../connection/database.ts';
import { reads, writes } from '../connection/statement.ts';
import { numbers } from '../deliveries/columns.ts';
import { type Link, linkAll, unite } from './identity.ts';
import { ANONYMOUS, giveNumbers, MEASURES, type NumberOf, spaceOf, TRAITS, USERS } from './numbers.ts';
import { lockSomeProfiles, WORKSPACES_AT_ONCE } from './locks.ts';
import { type CaughtId, oldestCaught } from './oldest-caught.ts';
import { addTiles } from './tiles.ts';
import { type TraitAddition, writeTraits } from './traits.ts';

const LAST = reads('last_caught', 'SELECT id FROM inbox ORDER BY id DESC LIMIT 1');
const READ = reads(
  'read_caught',
  `SELECT i.id, n.name AS source, i.caught
   FROM inbox i, LATERAL (SELECT name FROM names WHERE id = i.source OFFSET 0) n
   WHERE i.id = ANY($1::bigint[]) ORDER BY i.id`,
);
const TAKE = writes('take_caught', 'DELETE FROM inbox WHERE id = ANY($1::bigint[])');

export function fold(database: Database, foldLot: FoldLot): ProfileStorage['fold'] {
  return async ({ spaces, limit, ...of }) => {
    const waiting = await oldestCaught(database, of, limit);
    if (waiting.length === 0) return NOTHING_FOLDED;
    const standing = await spaces();
    const { isCut, lot, ...folded } = await database.transaction(async (queries) => {
      const own = await locked(queries, waiting);
      return { lot: own.length, ...(await foldLot(queries, standing, own)) };
    });
    // All other folds of these workspaces have waited for this one until here.
    const isLeft = waiting.length === limit || lot < waiting.length || isCut;
    return { ...folded, isMore: isLeft && (await oldestCaught(database, of, 1)).length > 0 };
  };
}

/** What of it this transaction may fold. */
async function locked(queries: Queries, waiting: readonly CaughtId[]): Promise<readonly CaughtId[]> {
  const workspaces = [...new Set(waiting.map(({ workspace }) => workspace))];
  const own = await lockSomeProfiles(queries, workspaces.slice(0, WORKSPACES_AT_ONCE));
  return waiting.filter(({ workspace }) => own.has(workspace));
}

export function lastCaught(database: Database): ProfileStorage['lastCaught'] {
  return async () => (await database.run<{ readonly id: number }>(LAST))[0]?.id ?? 0;
}

type FoldLot = (queries: Queries, spaces: readonly MeasuredSpace[], waiting: readonly CaughtId[]) => Promise<FoldedLot>;

interface FoldedLot extends Omit<Folded, 'isMore'> {
  /** Whether it took too long for one lot. */
  readonly isCut: boolean;
}

/** Folds what still waits of a part of the inbox, in the transaction of who asks: the oldest, as far as there is time. */
export function foldIn(): FoldLot {
  // Deliveries of this router have their turns between events that take long.
  const [evaluations, turns] = [createEvaluations(), createTurns()];
  return async (queries, spaces, waiting) => {
    const caught = await queries.run<Caught>(READ, [numbers(waiting.map(({ id }) => id))]);
    const evaluation = evaluations(spaces);
    const found: SpaceEffects[] = [];
    let events = 0;
    for (const one of caught) {
      if (!evaluation.hasRoom()) break;
      const of = await inTurn(turns, (budget) => evaluation.of(one, budget), new Budget(EVENT_STEPS));
      if (of !== undefined) found.push(of);
      events += 1;
    }
    const ids = caught.map(({ id }) => id);
    await queries.run(TAKE, [numbers(ids.slice(0, events))]);
    let refusedIds = 0;
    for (const [space, own] of Map.groupBy(found, ({ space: of }) => of)) {
      const effects = own.map((one) => one.effects);
      refusedIds += await applyAll(queries, await spaceOf(queries, space.id), effects);
    }
    return { events, refusedIds, undecided: evaluation.undecided(), isCut: events < ids.length };
  };
}

interface Numbers {
  readonly users: NumberOf;
  readonly anonymous: NumberOf;
  readonly traits: NumberOf;
  readonly measures: NumberOf;
}

async function numbersFor(queries: Queries, space: number, all: readonly Effects[]): Promise<Numbers> {
  const users = all.flatMap(({ holder, links, union }) => [
    ...(holder?.kind === 'user' ? [holder.id] : []),
    ...links.map(({ userId }) => userId),
    ...(union === undefined ? [] : [union.previousId, union.userId]),
  ]);
  const anonymous = all.flatMap(({ holder, links }) => [
    ...(holder?.kind === 'anonymous' ? [holder.id] : []),
    ...links.map(({ anonymousId }) => anonymousId),
  ]);
  const held = all.filter(({ holder }) => holder !== undefined);
  const names = held.flatMap(({ traits }) => traits.map(([name]) => name));
  const measures = held.flatMap(({ counted }) => counted.map(({ measure }) => measure.id));
  return {
    users: await giveNumbers(queries, USERS, space, users),
    anonymous: await giveNumbers(queries, ANONYMOUS, space, anonymous),
    traits: await giveNumbers(queries, TRAITS, space, names),
    measures: await giveNumbers(queries, MEASURES, space, measures),
  };
}

/** Answers how many ids were refused. What they do is the same in any order. */
async function applyAll(queries: Queries, space: number, all: readonly Effects[]): Promise<number> {
  const of = await numbersFor(queries, space, all);
  let refusedIds = all.reduce((sum, effects) => sum + effects.refusedIds, 0);
  refusedIds += await linkAll(queries, linksOf(all, of));
  for (const { union, at, messageId } of all) {
    if (union === undefined) continue;
    const [previous, user] = [of.users(union.previousId) ?? 0, of.users(union.userId) ?? 0];
    if (!(await unite(queries, { previous, user, at, messageId }))) refusedIds += 1;
  }
  await writeTraits(
    queries,
    all.flatMap((effects) => traitsOf(effects, of)),
  );
  const lot = new TileLot();
  for (const effects of all) addCounted(lot, effects, of);
  await addTiles(queries, lot.gathered());
  return refusedIds;
}

function linksOf(all: readonly Effects[], of: Numbers): readonly Link[] {
  const links = new Map<string, Link>();
  for (const { links: own, hour, at } of all) {
    for (const { anonymousId, userId } of own) {
      const [anonymous, owner] = [of.anonymous(anonymousId) ?? 0, of.users(userId) ?? 0];
      const key = `${anonymous} ${hour} ${owner}`;
      const known = links.get(key);
      if (known === undefined) links.set(key, { anonymous, owner, hour, at });
      else known.at = Math.min(known.at, at);
    }
  }
  return [...links.values()];
}

function holderOf({ holder }: Effects, of: Numbers): number | undefined {
  if (holder === undefined) return undefined;
  return holder.kind === 'user' ? of.users(holder.id) : of.anonymous(holder.id);
}

function traitsOf(effects: Effects, of: Numbers): readonly TraitAddition[] {
  const holder = holderOf(effects, of);
  if (holder === undefined) return [];
  const { at, traits } = effects;
  const hour = holder > 0 ? 0 : effects.hour;
  return traits.map(([name, json]) => ({ name: of.traits(name) ?? 0, holder, hour, at, json }));
}

function addCounted(lot: TileLot, effects: Effects, of: Numbers): void {
  const holder = holderOf(effects, of);
  if (holder === undefined) return;
  const { hour, at, messageId } = effects;
  lot.add({ holder, hour, at, messageId }, effects.counted, (id) => of.measures(id) ?? 0);
}
