import type { LossBatch, LossCount, LossItem } from '../storage/losses.ts';
import { kindOfLoss, LOSS_KINDS } from './dropped-events.ts';
import type { Losses } from './loss-reader.ts';
import { TRAFFIC_UNITS, type TrafficUnit } from './traffic.ts';

/** What of losses a batch is made of. */
export interface Lost {
  readonly losses: Losses;
  readonly sources: ReadonlySet<string>;
  readonly definitions: ReadonlySet<string>;
}

/**
 * A batch has no more counts: one statement has no time for all that may have gathered, and it would never be stored. Beyond as many of
 * either, however many sources lose something, the rest is counted without details, or not listed.
 */
const MAX_COUNTS = 5_000;
const MAX_ITEMS = 1_000;

export const ACCEPTED_LIST = 'accepted';
/** Minutes are in a list for each hour, so that only those of the last ones are read. */
export function trafficList(unit: TrafficUnit, at: number): string {
  const { ms } = TRAFFIC_UNITS.hour;
  return unit === 'hour' ? 'traffic by hour' : `traffic by minute ${Math.floor(at / ms) * ms}`;
}

/** Losses as the storage keeps them: what is counted, and what is listed, as JSON. `at` is when the batches are made. */
export function batchesOf(lost: Lost, at: number): LossBatch[] {
  const { counts, items } = batchOf(lost, at);
  const batches = [{ counts: counts.slice(0, MAX_COUNTS), items }];
  for (let from = MAX_COUNTS; from < counts.length; from += MAX_COUNTS)
    batches.push({ counts: counts.slice(from, from + MAX_COUNTS), items: [] });
  return batches;
}

/** Each count, and each item, alone. */
export function divided({ counts, items }: LossBatch): LossBatch[] {
  return [
    ...counts.map((one) => ({ counts: [one], items: [] })),
    ...items.map((one) => ({ counts: [], items: [one] })),
  ];
}

export function united(batches: readonly LossBatch[]): LossBatch {
  return { counts: batches.flatMap(({ counts }) => counts), items: batches.flatMap(({ items }) => items) };
}

function batchOf({ losses, sources, definitions }: Lost, at: number): LossBatch {
  const [counts, items] = [new Map<string, LossCount>(), itemsOf({ losses, sources, definitions })];
  const add = (own: Omit<LossCount, 'firstAt' | 'lastAt'>, [firstAt, lastAt] = [at, at]): void => {
    const { owner, list, what, count } = own;
    const detail = counts.size < MAX_COUNTS ? own.detail : '';
    const key = JSON.stringify([owner, list, what, detail]);
    const before = counts.get(key) ?? { count: 0, firstAt, lastAt };
    const [first, last] = [Math.min(before.firstAt, firstAt), Math.max(before.lastAt, lastAt)];
    counts.set(key, { owner, list, what, detail, count: before.count + count, firstAt: first, lastAt: last });
  };
  for (const owner of sources) {
    const accepted = losses.accepted.countOf(owner);
    if (accepted > 0) add({ owner, list: ACCEPTED_LIST, what: '', detail: '', count: accepted });
    for (const [reason, count] of losses.dropped.of(owner))
      add({ owner, list: kindOfLoss(reason), what: JSON.stringify(reason), detail: '', count });
    for (const { type, kind, event = '', count } of losses.violations.countsOf(owner))
      add({ owner, list: 'violations', what: JSON.stringify({ type, kind }), detail: event, count });
  }
  for (const owner of definitions) {
    const { count, lastTime } = losses.undecided.of(owner) ?? { count: 0, lastTime: '' };
    const time = Date.parse(lastTime);
    if (count > 0) add({ owner, list: 'undecided', what: '', detail: '', count }, [time, time]);
  }
  for (const { workspace: owner, unit, kind, at: begun, count } of losses.traffic.all())
    add({ owner, list: trafficList(unit, begun), what: JSON.stringify({ kind, at: begun }), detail: '', count });
  let unlisted = losses.unknownKeys.total();
  for (const { prefix, events, firstAt, lastAt } of losses.unknownKeys.list()) {
    add({ owner: '', list: 'unknown-keys', what: '', detail: prefix, count: events }, [firstAt, lastAt]);
    unlisted -= events;
  }
  if (unlisted > 0) add({ owner: '', list: 'unknown-keys', what: '', detail: '', count: unlisted });
  return { counts: [...counts.values()], items };
}

/** Each list has its share. */
function itemsOf({ losses, sources }: Lost): LossItem[] {
  const lists = [...sources].flatMap((owner) => {
    const drops = losses.dropped.lastOf(owner);
    return [
      ...LOSS_KINDS.map((list) => ({
        owner,
        list,
        last: drops.filter(({ reason }) => kindOfLoss(reason) === list),
      })),
      { owner, list: 'violations', last: losses.violations.lastOf(owner) },
      { owner, list: ACCEPTED_LIST, last: losses.accepted.lastOf(owner) },
    ].filter(({ last }) => last.length > 0);
  });
  const share = Math.max(1, Math.floor(MAX_ITEMS / lists.length));
  return lists.slice(0, MAX_ITEMS).flatMap(({ owner, list, last }) =>
    last
      .slice(0, share)
      .toReversed()
      .map((item) => ({ owner, list, item: JSON.stringify(item) })),
  );
}
