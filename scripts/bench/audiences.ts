import { setTimeout as wait } from 'node:timers/promises';
import type { AudienceDefinition } from '../../client/config/computations.ts';
import { computeNow, defineAudiences, inThrees } from './audience-definitions.ts';
import { type Bench, repeat, sized, type Wish } from './bench.ts';
import type { EngineRun } from './audience-engine.ts';
import { type FirstSync, firstSync } from './audience-sync.ts';
import { answerOf, startChild } from './child.ts';
import { figuresOf } from './figures.ts';
import { inFolder } from './folder.ts';
import { type BenchRouter, startRouter } from './processes/bench-router.ts';
import { startLoad } from './processes/load-process.ts';

/** With `--real` those of a large workspace. */
const SIZES = { people: 100_000, tiles: 1_200_000, events: 20_000, members: 10_000 };
const REAL = { people: 1_000_000, tiles: 12_000_000, events: 200_000, members: 1_000_000 };
/** Nobody listens there: of deliveries there is as good as nothing in the figures. */
const NOWHERE = 'http://127.0.0.1:9/hook';
const BATCH = 20;
/** Audiences share conditions, with counts and windows of their own; each of these holds for every event that it names. */
const CONDITIONS = 30;

export const audiences: Bench = {
  name: 'audiences',
  about: 'profiles, tiles and runs of 100 audiences with three conditions each; a first sync',
  runs: 1,
  isStandard: false,
  measure: async (wish) => {
    const runs = await repeat(wish, 'audiences', () => measure(wish));
    return figuresOf(runs, [
      ['ingest and fold: processor time without audiences, against with', '', ingestRatio, { atLeast: 0.85 }],
      ['ingest without audiences', 'µs of the processor an event', ({ without }) => without],
      [
        'ingest with 100 audiences of 30 conditions, which a tenth of the events meets',
        'µs of the processor an event',
        (run) => run.with,
      ],
      ['fold, an event that is counted once on average', 'µs', ({ engine }) => engine.foldUs, { atMost: 15 }],
      ['fold, an event of which only the ids are kept', 'µs', ({ engine }) => engine.seenUs, { atMost: 15 }],
      ['fold, a first identify with two traits', 'µs', ({ engine }) => engine.identifyUs, { atMost: 15 }],
      ['disk, a profile with two traits', 'B', ({ engine }) => engine.profileBytes, { atMost: 300 }],
      ['disk, a tile', 'B', ({ engine }) => engine.tileBytes, { atMost: 40 }],
      ['a run of 100 audiences', 's of the processor', ({ engine }) => engine.computeSeconds, { atMost: 30 }],
      ['memory, from before the runs to after them', 'MB', ({ engine }) => engine.memoryMb, { atMost: 120 }],
      ['members found', '', ({ engine }) => engine.members],
      ['a run in which everybody leaves an audience', 's of the processor', ({ engine }) => engine.leaveSeconds],
      [
        'an erasure of one profile, the file overwritten where it is free',
        's of the processor',
        ({ engine }) => engine.eraseSeconds,
        { atMost: 1 },
      ],
      ['a first sync to a fast receiver', 'members/s', ({ sync }) => sync.perSecond, { atLeast: 1e6 / 240 }],
      ['a first sync, of the router', 'µs of the processor a member', ({ sync }) => sync.processorUs],
    ]);
  },
};

interface Run {
  readonly engine: EngineRun;
  readonly without: number;
  readonly with: number;
  readonly sync: FirstSync;
}

function ingestRatio(run: Run): number {
  return run.without / run.with;
}

async function measure(wish: Wish): Promise<Run> {
  const { members, events, ...sizes } = wish.isReal ? REAL : SIZES;
  const [people, tiles] = [sized(sizes.people, wish), sized(sizes.tiles, wish)];
  wish.tell(`audiences: ${people} profiles, ${tiles} tiles`);
  const engine = await inFolder(async (folder) => {
    const child = startChild('./audience-engine.ts', folder, String(people), String(tiles));
    return answerOf<EngineRun>(child);
  });
  wish.tell('audiences: ingest');
  const [without, withThem] = [await ingestUs(0, sized(events, wish)), await ingestUs(100, sized(events, wish))];
  wish.tell('audiences: first sync');
  return { engine, without, with: withThem, sync: await firstSync(sized(members, wish)) };
}

/** Processor time of the router for each event, until all is folded. First runs of audiences are over before, and do not count. */
function ingestUs(count: number, wished: number): Promise<number> {
  return inFolder(async (folder) => {
    await using router = await startRouter(folder);
    const writeKeys = await router.connect([NOWHERE]);
    const [one] = await defineAudiences(router, inThrees(count, conditions(), 'all'));
    // What folds: upkeep alone would come a minute later.
    const foldAll = (): Promise<void> => computeNow(router, one === undefined ? [] : [one]);
    using load = await startLoad(router.url);
    const events = Math.ceil(wished / BATCH) * BATCH;
    const fast = { writeKeys, batch: BATCH, pace: { connections: 16 } };
    await load.send({ ...fast, first: 0, events: Math.ceil(events / 5 / BATCH) * BATCH });
    await foldAll();
    await quiet(router);
    const before = await router.processorMs();
    await load.send({ ...fast, first: events, events });
    await foldAll();
    await quiet(router);
    return (((await router.processorMs()) - before) * 1_000) / events;
  });
}

function conditions(): AudienceDefinition[] {
  return Array.from({ length: CONDITIONS }, (_one, condition) => ({
    events: { where: `event = "Bench 0" and properties.index > ${condition}`, count: { gte: 2 } },
  }));
}

/** Until nothing is done any more. */
async function quiet(router: BenchRouter): Promise<void> {
  for (let before = -Infinity, now = await router.processorMs(); now - before > 30;) {
    await wait(2_000);
    [before, now] = [now, await router.processorMs()];
  }
}
